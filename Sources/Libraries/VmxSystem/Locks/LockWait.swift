import VmxModel

/// The wait for a lock that another process or thread holds. It begins when this value is made, so
/// several attempts share one timeout.
///
///     let wait = LockWait(milliseconds: 10_000, shouldStop: { interruption.isRequested })
///     guard try wait.acquire({ try tryLock() }) else { throw busy }
package struct LockWait: Sendable {
  private let deadline: Deadline
  private let shouldStop: @Sendable () -> Bool

  /// Creates a wait that begins now.
  ///
  /// - Parameter shouldStop: polled between the attempts; once it returns true, the wait ends.
  package init(milliseconds: Int64, shouldStop: @escaping @Sendable () -> Bool = { false }) {
    deadline = Deadline(milliseconds: milliseconds)
    self.shouldStop = shouldStop
  }

  /// Attempts to acquire a lock until an attempt succeeds; at least once.
  ///
  /// - Parameter attempt: returns whether it has acquired the lock.
  /// - Returns: false after the timeout.
  /// - Throws: `WorkEnded.interrupted` once `shouldStop` returns true, the errors of the attempts.
  package func acquire(_ attempt: () throws -> Bool) throws -> Bool {
    var pause = RetryPause()
    while try !attempt() {
      if shouldStop() { throw WorkEnded.interrupted }
      guard !deadline.isPast else { return false }
      pause.sleep(until: deadline)
    }
    return true
  }
}
