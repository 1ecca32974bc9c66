package import VmxModel
package import VmxStore
import VmxSystem

// One process at a time checks a PIN, under a job lock: parallel processes get no extra attempts,
// and the memory of only one hash is used. The failure is durable before the check begins. A
// process that is killed during a check has used its attempt.

/// Checks a PIN or the user's identity, and counts and delays the attempts of all processes.
///
///     let check = PINCheck(store, clock: clock)
///     try check.attempt { try pinIsRight() ? .verified : .refused }
package struct PINCheck: Sendable {
  /// The result of a check.
  package enum Outcome: Sendable, Equatable {
    /// The PIN is right, or the helper verified the user.
    case verified
    /// The PIN is wrong, or the helper refused the user.
    case refused
    /// Nothing was checked; the attempt does not count.
    case unavailable
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let now: @Sendable () -> ClockReading

  /// Creates the check of a library.
  ///
  /// - Parameter now: returns the current time; the system clocks by default.
  package init(
    _ store: LibraryStore, clock: any WallClock, now: (@Sendable () -> ClockReading)? = nil
  ) {
    self.store = store
    self.clock = clock
    self.now = now ?? { .now(clock) }
  }

  /// Performs one attempt. Records it as a failure before the closure runs, and clears the failures
  /// if the closure succeeds.
  ///
  /// - Parameter check: the check.
  /// - Returns: the answer, never `refused`.
  /// - Throws: `pin-wrong` for `refused`; `pin-delayed` while further attempts must wait;
  ///   `lock-busy` if other processes hold the lock beyond its timeout; the errors of the closure;
  ///   store errors. After an error of the closure the attempt stays counted.
  package func attempt(_ check: () throws -> Outcome) throws -> Outcome {
    let lock = try store.waitForJob(.pin)
    defer { lock.release() }
    let stored = try store.parental.attempts(now: now())
    var before = stored
    before.expire(at: now())
    let wait = before.wait(at: now())
    guard wait == 0 else {
      // A wait that restarted because the clock was set back is recorded.
      if before != stored { try store.parental.save(before) }
      throw Self.delayed(wait, now: clock.now)
    }
    var counted = before
    counted.count(at: now())
    try store.parental.save(counted)
    let answer = try check()
    switch answer {
    case .verified: try store.parental.save(PINAttempts())
    case .unavailable: try store.parental.save(before)
    case .refused:
      let wait = counted.wait(at: now())
      let next = wait == 0 ? nil : Self.delayed(wait, now: clock.now)
      throw Failure(
        .pinWrong, "the PIN is wrong", hint: next?.hint, retryAt: next?.retryAt)
    }
    return answer
  }

  /// Returns the failures so far, and the milliseconds until the next attempt.
  ///
  /// - Throws: `store-unreadable`.
  package func status() throws(Failure) -> (failures: Int64, wait: Int64) {
    var attempts = try store.parental.attempts(now: now())
    attempts.expire(at: now())
    return (attempts.failures, attempts.wait(at: now()))
  }

  private static func delayed(_ wait: Int64, now: Timestamp) -> Failure {
    let seconds = (wait + 999) / 1000
    return Failure(
      .pinDelayed, "too many wrong PINs",
      hint: "try again in \(DurationText.text(of: seconds * 1000))",
      retryAt: now.adding(milliseconds: wait))
  }
}
