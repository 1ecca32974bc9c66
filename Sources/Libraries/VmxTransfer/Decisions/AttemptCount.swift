/// Counts attempts without progress; bytes gained start it anew.
///
/// Progress is only what was never held before of this version: a server that lets us begin
/// again each time and cuts at the same place makes none.
struct AttemptCount: Sendable, Equatable {
  /// Attempts without progress that are made.
  let limit: Int
  /// Failures since the last progress.
  private(set) var failures = 0
  /// Those among them that are sat through less often.
  private var rarer = 0
  private var best: Int64

  /// A count that begins with so many bytes held.
  init(limit: Int, held: Int64) {
    self.limit = max(1, limit)
    best = held
  }

  /// Tells how many bytes are held now.
  ///
  /// - Parameter least: bytes more than ever before that count as progress.
  mutating func holds(_ bytes: Int64, atLeast least: Int64 = 1) {
    guard bytes > best else { return }
    if bytes - best >= least {
      failures = 0
      rarer = 0
    }
    best = bytes
  }

  /// Tells that nothing is held any more, of another version; the failures stay.
  mutating func startsOver() {
    best = 0
  }

  /// Counts a failure.
  ///
  /// - Parameter most: failures of such kinds that are made at most, if fewer; others before
  ///   them do not count towards it.
  /// - Returns: whether another attempt may follow.
  mutating func fails(atMost most: Int? = nil) -> Bool {
    failures += 1
    if most != nil { rarer += 1 }
    return failures < limit && rarer < most ?? limit
  }
}
