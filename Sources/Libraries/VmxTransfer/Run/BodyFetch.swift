import VmxModel

/// Takes the body of one answer: compares the overlap, writes the rest, records, tells.
struct BodyFetch {
  private let context: RunContext
  private let answer: Answer
  /// Bytes that a document may have at most.
  private let limit: Int64
  /// Offset in the file of the next byte that comes.
  private var position: Int64 = 0

  init(_ answer: Answer, _ context: RunContext) {
    self.answer = answer
    self.context = context
    limit =
      switch context.job.kind {
      case .media: .max
      case .document(let limit): limit.bytes
      }
  }

  private var shown: String { answer.url.shown }

  /// Takes a range that goes on with what is held.
  ///
  /// - Parameters:
  ///   - range: the bytes of the file that come.
  ///   - join: called once the overlap, if any, has come and agreed; the bytes behind it are
  ///     written after that.
  /// - Returns: false as soon as the overlap differs; nothing was written then.
  /// - Throws: also where fewer bytes came; those that came are written and recorded.
  mutating func takeRange(
    _ range: ByteRange, _ plan: RangePlan, _ part: inout HeldPart,
    join: (inout HeldPart) -> Void
  ) throws(TransferError) -> Bool {
    position = range.start
    let joint = range.start + plan.overlap
    if plan.overlap == 0 { join(&part) }
    while let bytes = try next(part, end: range.end) {
      let count = Int64(bytes.count)
      guard position + count <= range.end else {
        throw .rangeBroken(url: shown, detail: "more bytes came than the range has")
      }
      let compared = Int(min(count, max(0, joint - position)))
      if compared > 0 {
        guard try part.holds(bytes[..<compared], at: position) else { return false }
        if position + Int64(compared) == joint { join(&part) }
      }
      if compared < bytes.count {
        try part.write(bytes[compared...], at: position + Int64(compared))
      }
      position += count
      giveBack(bytes)
    }
    return true
  }

  /// Takes the whole from its first byte.
  ///
  /// - Parameter begin: called before the first byte is written, and not if none comes.
  mutating func takeWhole(
    total: Int64?, _ part: inout HeldPart,
    begin: (inout HeldPart) throws(TransferError) -> Void
  ) throws(TransferError) {
    var hasBegun = false
    while let bytes = try next(part, end: total) {
      if !hasBegun { try begin(&part) }
      hasBegun = true
      let count = Int64(bytes.count)
      guard position + count <= limit else { throw .tooLarge(url: shown, limit: limit) }
      try part.write(bytes[...], at: position)
      position += count
      giveBack(bytes)
    }
    if position == 0 { throw .emptyBody(url: shown) }
    let trailer = answer.exchange.head?.sourceVersion.published
    part.ends(at: position, published: trailer)
  }

  /// The next bytes; nil once the body is complete.
  ///
  /// - Parameter end: where it is to end, if that is known: who comes so far is complete, however
  ///   the connection ended.
  private func next(
    _ part: borrowing HeldPart, end: Int64?
  ) throws(TransferError) -> [UInt8]? {
    while true {
      try context.tell(held: part.held, total: part.total)
      switch answer.exchange.next(milliseconds: 100) {
      case .body(let bytes):
        context.received += Int64(bytes.count)
        return bytes
      case .end(let reason):
        if position == end || end == nil && reason == .complete { return nil }
        throw reason.error(
          shown, hasHead: true, held: (part.held, part.total), context.settings)
      case .head, nil: continue
      }
    }
  }

  private func giveBack(_ bytes: consuming [UInt8]) {
    if answer.exchange.giveBack(bytes) { context.loop.wake() }
  }
}
