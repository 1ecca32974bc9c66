import VmxModel

/// Receives the body of the first connection's response.
///
/// Compares the overlap with the bytes held, writes the rest, records it and reports progress.
struct BodyFetch {
  private let context: RunContext
  private let connections: ConnectionGroup
  private let response: Response
  /// The size limit of a document, in bytes.
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

  /// Whether this body was cut before the end of its response because other connections receive the
  /// rest.
  var isCut: Bool { cursor.isCut }

  /// Receives a range that continues the bytes held.
  ///
  /// - Parameters:
  ///   - range: the received bytes, as offsets in the file.
  ///   - join: called once the overlap, if any, has arrived and agreed. Bytes behind the overlap
  ///     are written afterwards.
  /// - Returns: false as soon as the overlap differs; nothing was written then.
  /// - Throws: `TransferError`, also if fewer bytes arrived. The bytes that arrived are written and
  ///   recorded.
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

  /// Receives the whole body from its first byte.
  ///
  /// - Parameters:
  ///   - total: the required number of bytes, from the response or else as published.
  ///   - begin: called before the first byte is written, and not at all for an empty body.
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

  /// Receives the whole body a second time to find out whether the held bytes are complete.
  ///
  /// Compares the body with the held bytes. Writes from the first offset where they differ or where
  /// the held bytes end.
  ///
  /// - Parameter adopt: called once, before the first byte is written. Its flag says whether held
  ///   bytes differed from the received ones.
  /// - Returns: whether the body is the same up to the same end.
  /// - Throws: `body-cut` if the body is the same but ends earlier.
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

  /// Throws `not-media` for a body that is not a film, and discards the bytes already written.
  private func check(
    _ kind: MediaKind?, _ hasBegun: Bool, _ part: inout PartialDownload
  ) throws(TransferError) {
    guard let kind else { return }
    if hasBegun { try part.startOver(SourceVersion(), from: response.url, aside: false) }
    throw .notMedia(url: shown, type: kind.rawValue)
  }

  /// The next bytes; nil once the body, or the wanted range of it, is complete.
  ///
  /// - Parameter end: the expected end, if known. A body that reaches it is complete, however the
  ///   connection ended.
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
