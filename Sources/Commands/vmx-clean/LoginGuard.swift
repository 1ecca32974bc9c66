import Glibc
import VmxSystem

// Every step may end at any point, as after a power cut. So where a disk answers no more and not
// even a look at it comes back, the process ends without it: nobody's login waits for a disk.

/// Ends the process in time, whatever it is waiting for.
enum LoginGuard {
  /// Milliseconds after which it ends.
  private static let span: Int64 = 900

  /// Begins to watch.
  static func start() {
    do throws(ProcessError) {
      let thread = try WorkerThread.start("login-guard") {
        let end = Deadline(milliseconds: span)
        while !end.isPast { end.sleep(nanoseconds: .max) }
        _exit(0)
      }
      _ = thread
    } catch {
      // Without threads the errands end by their own look at the clock.
    }
  }
}
