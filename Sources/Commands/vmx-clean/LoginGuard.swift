import Glibc
import VmxSystem

// Every step may be interrupted at any point, as by a power cut. So if a disk hangs and a system
// call on it does not return, this thread ends the process: no login waits for a disk.

/// Ends the process after a time limit, even if a system call blocks.
enum LoginGuard {
  /// The time limit in milliseconds.
  private static let span: Int64 = 900

  /// Starts the thread that ends the process.
  static func start() {
    do throws(ProcessError) {
      let thread = try WorkerThread.start("login-guard") {
        let end = Deadline(milliseconds: span)
        while !end.isPast { end.sleep(nanoseconds: .max) }
        _exit(0)
      }
      _ = thread
    } catch {
      // If no thread can be started, the tasks end by their own time limit.
    }
  }
}
