import CLinux
import Glibc

// Linux keeps both for each thread, and a thread hands them on to those that it starts. So the
// first thread asks for them, before there are others.

/// How a process makes room for others; to be asked for before any thread is started.
package enum ProcessPriority {
  private static let niceness: Int32 = 10

  /// Gives way to others on the CPU, as `nice` does; one that gives way more than that stays so.
  ///
  /// - Returns: whether the system let it.
  package static func givesWayOnCPU() -> Bool {
    let thisThread = Int32(PRIO_PROCESS.rawValue)
    let now = getpriority(thisThread, 0)
    return now >= niceness || setpriority(thisThread, 0, niceness) == 0
  }

  /// Reads and writes only while nobody else wants the disk, as `ionice -c 3` does.
  ///
  /// - Returns: whether the system let it.
  package static func givesWayOnDisk() -> Bool { linux_idle_disk() == 0 }
}
