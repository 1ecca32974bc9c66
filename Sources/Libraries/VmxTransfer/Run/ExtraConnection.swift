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
  var asking: Asking
  /// What its answer brings; nil until one has come that may be taken.
  var stretch: Stretch?

  /// Asks for a range of the version with this strong validator.
  init(_ piece: ByteRange, of validator: String, _ asker: Asker, isGrowth: Bool) {
    self.piece = piece
    self.isGrowth = isGrowth
    let plan = RangePlan(condition: .version(validator), start: piece.start, end: piece.end)
    asking = Asking(plan, asker)
  }

  /// The bytes that nobody else has to bring.
  var claim: ByteRange {
    guard let stretch else { return piece }
    return ByteRange(stretch.position..<(stretch.end ?? piece.end))
  }
}
