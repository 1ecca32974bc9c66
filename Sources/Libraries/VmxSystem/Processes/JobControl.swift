import CLinux
import Glibc

// By its default action SIGTSTP (Ctrl-Z) stops all threads in the middle of what they draw, and the
// shell writes below it. After SIGCONT (`fg`) the next frame would then overwrite its lines. So a
// thread receives the signal, has the drawing removed, and stops the process. SIGSTOP cannot be
// received.

/// The keys of a terminal and the commands of a shell that stop and continue a process.
package enum JobControl {
  /// Lets the display of the process be removed before Ctrl-Z stops it.
  ///
  /// Only the first call has an effect, and none if SIGTSTP was ignored at the start or no thread
  /// can be started: the signal then has its default action.
  ///
  /// - Parameter pausing: removes the display, calls the given function, which returns when the
  ///   process continues, and draws the display again. Called on a thread of its own.
  package static func install(_ pausing: @escaping @Sendable (_ stop: () -> Void) -> Void) {
    var descriptor: CInt = -1
    guard linux_stop_watch(&descriptor) == 0 else { return }
    let requests = descriptor
    do throws(ProcessError) {
      _ = try WorkerThread.start("vmx-stop") {
        var count: UInt64 = 0
        while true {
          let size = read(requests, &count, MemoryLayout<UInt64>.size)
          if size > 0 { pausing { linux_stop_now() } }
          if size < 0, errno != EINTR { return }
        }
      }
    } catch {
      _ = signal(SIGTSTP, SIG_DFL)
    }
  }

  /// Whether output on a terminal would not disturb another program: this process belongs to the
  /// foreground of the terminal, or the descriptor is not the terminal that controls it.
  package static func isInForeground(of descriptor: CInt) -> Bool {
    let foreground = tcgetpgrp(descriptor)
    return foreground < 0 || foreground == getpgrp()
  }
}
