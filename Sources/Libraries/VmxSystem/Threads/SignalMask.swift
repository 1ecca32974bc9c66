import Glibc

/// The signal mask of a thread.
enum SignalMask {
  /// The signals for a fault of the thread itself; if they were blocked, they would kill the
  /// process without a report.
  private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

  /// Runs a body while all signals but faults are blocked; threads created in it inherit the mask.
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
