import VmxModel

/// One additional connection of a part: the request for a range, and how far its answer has come.
final class ExtraConnection {
  /// What is asked for.
  let piece: ByteRange
  /// Whether it is one more than there were, and not in place of one that has ended.
  let isGrowth: Bool
  /// When it began, in milliseconds of `MonotonicTime`.
  let began = MonotonicTime.now
  /// The request.
  var hop: Hop
  /// What its answer brings; nil until one has come that may be taken.
  var cursor: RangeCursor?

  /// Asks for a range of the version with this strong validator.
  init(_ piece: ByteRange, of validator: String, _ chain: RequestChain, isGrowth: Bool) {
    self.piece = piece
    self.isGrowth = isGrowth
    let plan = RangePlan(condition: .version(validator), start: piece.start, end: piece.end)
    hop = Hop(plan, chain)
  }

  /// The bytes that nobody else has to bring.
  var claim: ByteRange {
    guard let cursor else { return piece }
    return ByteRange(cursor.position..<(cursor.end ?? piece.end))
  }
}
