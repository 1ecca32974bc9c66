import VmxModel

/// An additional connection of a part: the request for a range and the state of its response.
final class ExtraConnection {
  /// The requested range.
  let piece: ByteRange
  /// Whether it adds to the number of connections instead of replacing one that has ended.
  let isGrowth: Bool
  /// The time of the request, in milliseconds of `MonotonicTime`.
  let began = MonotonicTime.now
  /// The request.
  var hop: Hop
  /// The range of its response; nil until an acceptable response has arrived.
  var cursor: RangeCursor?

  /// Requests a range of the version with this strong validator.
  init(_ piece: ByteRange, of validator: String, _ chain: RequestChain, isGrowth: Bool) {
    self.piece = piece
    self.isGrowth = isGrowth
    let plan = RangePlan(condition: .version(validator), start: piece.start, end: piece.end)
    hop = Hop(plan, chain)
  }

  /// The bytes that only this connection is to receive.
  var claim: ByteRange {
    guard let cursor else { return piece }
    return ByteRange(cursor.position..<(cursor.end ?? piece.end))
  }
}
