import VmxModel

/// Takes the body of the first connection's answer: compares the overlap, writes the rest, records,
/// tells.
struct BodyFetch {
  private let context: RunContext
  private let connections: ConnectionGroup
  private let response: Response
  /// Bytes that a document may have at most.
  private let limit: Int64
  private var cursor = RangeCursor(from: 0, to: nil)
  private var front: LeadingBytesCheck

  init(_ response: Response, _ connections: ConnectionGroup, _ context: RunContext) {
    self.response = response
    self.connections = connections
    self.context = context
    front = LeadingBytesCheck(context.job.kind)
    limit =
      switch context.job.kind {
      case .media: .max
      case .document(let limit): limit.bytes
      }
  }

  private var shown: String { response.url.shown }

  /// Whether it ended before its answer, because other connections bring the rest.
  var isCut: Bool { cursor.isCut }

  /// Takes a range that goes on with what is held.
  ///
  /// - Parameters:
  ///   - range: the bytes of the file that come.
  ///   - join: called once the overlap, if any, has come and agreed; the bytes behind it are
  ///     written after that.
  /// - Returns: false as soon as the overlap differs; nothing was written then.
  /// - Throws: also where fewer bytes came; those that came are written and recorded.
  mutating func takeRange(
    _ range: ByteRange, _ plan: RangePlan, _ part: inout PartialDownload,
    join: (inout PartialDownload) -> Void
  ) throws(TransferError) -> Bool {
    cursor = RangeCursor(from: range.start, to: range.end)
    let joint = range.start + plan.overlap
    defer { connections.firstEnds() }
    if plan.overlap == 0 {
      join(&part)
      connections.firstBegins(cursor, response.head, part)
    }
    while let bytes = try next(&part, end: range.end) {
      let compared = Int(min(Int64(bytes.count), max(0, joint - cursor.position)))
      if compared > 0 {
        guard try part.holds(bytes[..<compared], at: cursor.position) else { return false }
        cursor.pass(compared)
        if cursor.position == joint { join(&part) }
      }
      if compared < bytes.count { try cursor.take(bytes[compared...], &part, url: shown) }
      giveBack(bytes)
    }
    return true
  }

  /// Takes the whole from its first byte.
  ///
  /// - Parameters:
  ///   - total: how many bytes it must have, told by the answer or else by whoever published it.
  ///   - begin: called before the first byte is written, and not if none comes.
  mutating func takeWhole(
    total: Int64?, _ part: inout PartialDownload,
    begin: (inout PartialDownload) throws(TransferError) -> Void
  ) throws(TransferError) {
    cursor = RangeCursor(from: 0, to: response.head.total)
    var hasBegun = false
    defer { connections.firstEnds() }
    while let bytes = try next(&part, end: total) {
      try check(front.take(bytes[...]), hasBegun, &part)
      if !hasBegun {
        try begin(&part)
        connections.firstBegins(cursor, response.head, part)
        hasBegun = true
      }
      guard cursor.position + Int64(bytes.count) <= limit else {
        throw .tooLarge(url: shown, limit: limit)
      }
      try cursor.take(bytes[...], &part, url: shown)
      giveBack(bytes)
    }
    try check(front.take([], isLast: true), hasBegun, &part)
    if cursor.position == 0 { throw .emptyBody(url: shown) }
    guard !isCut else { return }
    let trailer = response.transfer.head.flatMap { DigestField.published($0) }
    part.ends(at: cursor.position, published: trailer)
  }

  /// Takes the whole once more, where nobody knows whether what is held is all of it: compares, and
  /// writes from where it differs or goes on.
  ///
  /// - Parameter adopt: called once, before the first byte is written, with whether bytes held were
  ///   others than came.
  /// - Returns: whether it is the same up to the same end.
  /// - Throws: `body-cut` where it is the same and ends before.
  mutating func takeAgain(
    total: Int64?, _ part: inout PartialDownload, adopt: (inout PartialDownload, Bool) -> Void
  ) throws(TransferError) -> Bool {
    cursor = RangeCursor(from: 0, to: total)
    let held = part.prefix
    var isSame = true
    while let bytes = try next(&part, end: total) {
      try check(front.take(bytes[...]), false, &part)
      let position = cursor.position
      let count = Int64(bytes.count)
      guard position + count <= limit else { throw .tooLarge(url: shown, limit: limit) }
      let known = isSame ? Int(min(count, held - position)) : 0
      if known > 0, try !part.holds(bytes[..<known], at: position) {
        isSame = false
        try part.cutBack(to: position)
        adopt(&part, true)
        try part.write(bytes[...], at: position)
      } else if known < bytes.count {
        if isSame { adopt(&part, false) }
        isSame = false
        try part.write(bytes[known...], at: position + Int64(known))
      }
      cursor.pass(bytes.count)
      giveBack(bytes)
    }
    try check(front.take([], isLast: true), !isSame, &part)
    guard isSame, cursor.position < held else { return isSame }
    throw .cut(url: shown, held: held, total: total)
  }

  /// Ends a body that is no film; what of it was written is not held.
  private func check(
    _ kind: MediaKind?, _ hasBegun: Bool, _ part: inout PartialDownload
  ) throws(TransferError) {
    guard let kind else { return }
    if hasBegun { try part.startOver(SourceVersion(), from: response.url, aside: false) }
    throw .notMedia(url: shown, type: kind.rawValue)
  }

  /// The next bytes; nil once the body is complete, or what is wanted of it.
  ///
  /// - Parameter end: where it is to end, if that is known: who comes so far is complete, however
  ///   the connection ended.
  private func next(
    _ part: inout PartialDownload, end: Int64?
  ) throws(TransferError) -> [UInt8]? {
    while true {
      if cursor.isCut, cursor.isDone { return nil }
      try context.tell(held: part.held, total: part.total)
      switch try connections.next(response.transfer, &part) {
      case .body(let bytes):
        context.received += Int64(bytes.count)
        return bytes
      case .end(let reason):
        if cursor.position == end || end == nil && reason == .complete { return nil }
        throw reason.error(
          shown, hasHead: true, held: (part.held, part.total), context.settings)
      case .head, nil: continue
      }
    }
  }

  private func giveBack(_ bytes: consuming [UInt8]) {
    if response.transfer.giveBack(bytes) { context.loop.wake() }
  }
}
