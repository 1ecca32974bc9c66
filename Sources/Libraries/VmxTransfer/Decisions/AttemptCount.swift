/// Counts attempts without progress; received bytes reset the count.
///
/// Only bytes never held before of this version are progress. A server that restarts each time and
/// cuts at the same offset makes none.
struct AttemptCount: Sendable, Equatable {
  /// The maximum number of attempts without progress.
  let limit: Int
  /// The failures since the last progress.
  private(set) var failures = 0
  /// The failures among them of kinds with a lower limit.
  private var rarer = 0
  private var best: Int64

  /// Creates a count, given the number of bytes held.
  init(limit: Int, held: Int64) {
    self.limit = max(1, limit)
    best = held
  }

  /// Updates the number of bytes held.
  ///
  /// - Parameter least: the minimum gain over the previous maximum that counts as progress, in
  ///   bytes.
  mutating func holds(_ bytes: Int64, atLeast least: Int64 = 1) {
    guard bytes > best else { return }
    if bytes - best >= least {
      failures = 0
      rarer = 0
    }
    best = bytes
  }

  /// Resets the progress because another version is fetched; the failures stay.
  mutating func startsOver() {
    best = 0
  }

  /// Counts a failure.
  ///
  /// - Parameter most: the lower limit of attempts for such failures, if any. Other failures before
  ///   them do not count towards it.
  /// - Returns: whether another attempt may follow.
  mutating func fails(atMost most: Int? = nil) -> Bool {
    failures += 1
    if most != nil { rarer += 1 }
    return failures < limit && rarer < most ?? limit
  }
}
