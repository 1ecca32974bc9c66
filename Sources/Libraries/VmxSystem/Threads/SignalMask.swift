import Glibc

/// Which signals reach a thread.
enum SignalMask {
  /// Those that report a fault of the thread itself; held back, they kill without a word.
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

  /// Runs a body while all signals but faults are held back; threads made in it inherit that.
  static func withAllBlocked<R>(_ body: () -> R) -> R {
    var all = sigset_t()
    sigfillset(&all)
    for fault in faults { sigdelset(&all, fault) }
    var before = sigset_t()
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return body()
  }
}
