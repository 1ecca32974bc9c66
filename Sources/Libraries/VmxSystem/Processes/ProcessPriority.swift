import CLinux
import Glibc

// Linux keeps both per thread, and a new thread inherits them. So the first thread sets them before
// it starts others.

/// The CPU and disk priority of a process; set them before any thread is started.
package enum ProcessPriority {
  private static let niceness: Int32 = 10

  /// Lowers the CPU priority, as `nice` does; a process with a lower priority keeps it.
  ///
  /// - Returns: whether the system allowed it.
  package static func givesWayOnCPU() -> Bool {
    let thisThread = Int32(PRIO_PROCESS.rawValue)
    let now = getpriority(thisThread, 0)
    return now >= niceness || setpriority(thisThread, 0, niceness) == 0
  }

  /// Sets the idle class of disk priority, as `ionice -c 3` does: other processes use the disk
  /// first.
  ///
  /// - Returns: whether the system allowed it.
  package static func givesWayOnDisk() -> Bool { linux_idle_disk() == 0 }
}
