package import VmxModel
package import VmxStore
import VmxSystem

// One process at a time checks a PIN, under the lock of a job: so any number of processes get no more
// attempts than one, and the memory of one hash is used and not that of many. The failure is durable
// before the check begins. A process that is killed while it checks has used its attempt.

/// Checks a PIN or a person, and counts and slows down the attempts of all processes.
///
///     let check = PINCheck(store, clock: clock)
///     try check.attempt { try pinIsRight() ? .verified : .refused }
package struct PINCheck: Sendable {
  /// The answer of one check.
  package enum Answer: Sendable, Equatable {
    /// It is the right PIN, or the right person.
    case verified
    /// It is not.
    case refused
    /// Nothing was checked, so that no attempt was used.
    case unavailable
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let now: @Sendable () -> ClockReading

  /// Creates the check of a library.
  ///
  /// - Parameter now: the present moment; the system's unless given.
  package init(
    _ store: LibraryStore, clock: any WallClock, now: (@Sendable () -> ClockReading)? = nil
  ) {
    self.store = store
    self.clock = clock
    self.now = now ?? { .now(clock) }
  }

  /// Performs one attempt. It is counted as a failure before the closure runs, and no longer after it
  /// succeeded.
  ///
  /// - Parameter check: the check itself.
  /// - Returns: the answer, never `refused`.
  /// - Throws: `pin-wrong` for `refused`, `pin-delayed` while attempts have to wait, `lock-busy` if
  ///   other processes check for longer than the lock's time-out, the errors of the closure and of the
  ///   store. After an error of the closure the attempt stays counted.
  package func attempt(_ check: () throws -> Answer) throws -> Answer {
    let lock = try store.waitForJob(.pin, what: "checks a PIN")
    defer { lock.release() }
    let stored = try store.parental.attempts(now: now())
    var before = stored
    before.settle(at: now())
    let wait = before.wait(at: now())
    guard wait == 0 else {
      // A wait that begins anew, since the clock was set back, is kept.
      if before != stored { try store.parental.put(before) }
      throw Self.delayed(wait, now: clock.now)
    }
    var counted = before
    counted.count(at: now())
    try store.parental.put(counted)
    let answer = try check()
    switch answer {
    case .verified: try store.parental.put(PINAttempts())
    case .unavailable: try store.parental.put(before)
    case .refused:
      let wait = counted.wait(at: now())
      let next = wait == 0 ? nil : Self.delayed(wait, now: clock.now)
      throw Failure(
        .pinWrong, "the PIN is wrong", hint: next?.hint, retryAt: next?.retryAt)
    }
    return answer
  }

  /// The failures so far, and the milliseconds until the next attempt.
  ///
  /// - Throws: `store-unreadable`.
  package func standing() throws(Failure) -> (failures: Int64, wait: Int64) {
    var attempts = try store.parental.attempts(now: now())
    attempts.settle(at: now())
    return (attempts.failures, attempts.wait(at: now()))
  }

  private static func delayed(_ wait: Int64, now: Timestamp) -> Failure {
    let seconds = (wait + 999) / 1000
    return Failure(
      .pinDelayed, "too many wrong PINs were given",
      hint: "try again in \(DurationText.text(of: seconds * 1000))",
      retryAt: now.adding(milliseconds: wait))
  }
}
