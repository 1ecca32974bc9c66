import VmxLibrary
import VmxModel

/// Receives the body of the first connection's response.
///
/// Compares the overlap with the bytes held, writes the rest, records it and reports progress.
final class BodyReceiver {
  private let session: TransferSession
  private let connections: ConnectionGroup
  private let part: PartialDownload
  private let response: Response
  /// Whether a digest of the whole is published beside the response.
  private let hasDigest: Bool
  /// The size limit of a document, in bytes; lower once its first bytes are those of a text.
  private var limit: Int64
  /// The size limit of a text in bytes, until the first bytes have arrived.
  private var textLimit: Int64?
  private var cursor = RangeCursor(from: 0, to: nil)
  /// The first bytes of a body that should be a video, until there are enough to inspect; nil
  /// afterwards, and for a document.
  private var prefix: [UInt8]?

  init(_ response: Response, _ fetch: SourceFetch) {
    self.response = response
    session = fetch.session
    connections = fetch.connections
    part = fetch.part
    hasDigest = fetch.job.expectedDigest != nil
    prefix = fetch.job.kind == .media ? [] : nil
    textLimit = fetch.job.textLimit?.bytes
    limit =
      switch fetch.job.kind {
      case .media: .max
      case .document(let limit): limit.bytes
      }
  }

  private var redactedURL: String { response.url.redacted }

  /// Whether this body was cut before the end of its response because other connections receive the
  /// rest.
  var isTruncated: Bool { cursor.isTruncated }

  /// Receives a range that continues the bytes held.
  ///
  /// - Parameters:
  ///   - range: the received bytes, as offsets in the file.
  ///   - join: called once the overlap, if any, has arrived and agrees with the held bytes. Bytes
  ///     after the overlap are written afterwards.
  /// - Returns: false as soon as the overlap differs; nothing was written then.
  /// - Throws: `TransferError`, also if fewer bytes arrived. The bytes that arrived are written and
  ///   recorded.
  func receiveRange(
    _ range: ByteRange, _ plan: RangePlan, join: () -> Void
  ) throws(TransferError) -> Bool {
    cursor = RangeCursor(from: range.start, to: range.end)
    let joint = range.start + plan.overlap
    defer { connections.firstEnds() }
    if plan.overlap == 0 { join() }
    if !plan.isProvedByOverlap { connections.registerFirst(cursor, response.head) }
    let check = ContentCheck(response.head)
    while let bytes = try next(end: range.end) {
      check?.update(bytes)
      let compared = Int(min(Int64(bytes.count), max(0, joint - cursor.position)))
      if compared > 0 {
        guard try part.contains(bytes[..<compared], at: cursor.position) else { return false }
        cursor.advance(compared)
        if cursor.position == joint { join() }
      }
      if compared < bytes.count { try write(bytes[compared...]) }
      recycle(bytes)
    }
    if let check, !isTruncated { try part.verify(check, from: joint, of: cursor, redactedURL) }
    return true
  }

  /// Receives the whole body from its first byte.
  ///
  /// - Parameters:
  ///   - total: the required number of bytes, from the response or otherwise as published.
  ///   - begin: called before the first byte is written, and not at all for an empty body.
  func receiveWhole(
    total: Int64?, begin: () throws(TransferError) -> Void
  ) throws(TransferError) {
    cursor = RangeCursor(from: 0, to: response.head.total)
    var hasBegun = false
    defer { connections.firstEnds() }
    while let bytes = try next(end: total) {
      try check(bytes, discarding: hasBegun)
      if !hasBegun {
        try begin()
        connections.registerFirst(cursor, response.head)
        hasBegun = true
        lowerLimit(of: bytes)
      }
      guard cursor.position + Int64(bytes.count) <= limit else {
        throw .tooLarge(url: redactedURL, limit: limit)
      }
      try write(bytes[...])
      recycle(bytes)
    }
    try check([], isLast: true, discarding: hasBegun)
    if cursor.position == 0 { throw .emptyBody(url: redactedURL) }
    guard !isTruncated else { return }
    let trailer = response.transfer.head.flatMap { DigestField.published($0) }
    // A published digest reveals a cut.
    let isDigestKnown = hasDigest || trailer != nil || part.version.published != nil
    part.ends(at: cursor.position, published: trailer, isDigestKnown ? .announced : end(total))
  }

  /// The evidence for the end of a body whose size is known or not.
  private func end(_ total: Int64?) -> PartialDownload.End {
    total != nil ? .announced : response.transfer.hasSeenEnd ? .seen : .ambiguous
  }

  /// Receives the whole body once more, because the end of the held bytes is unsure.
  ///
  /// Compares the body with the held bytes. Writes from the first offset at which they differ, or
  /// at which the held bytes end.
  ///
  /// - Parameter adopt: called once, before the first byte is written. Its flag says whether held
  ///   bytes differed from the received ones.
  /// - Throws: `body-cut` if the body ends earlier, or if its end is unsure again.
  func receiveAgain(total: Int64?, adopt: (Bool) -> Void) throws(TransferError) {
    cursor = RangeCursor(from: 0, to: total)
    let held = part.prefix
    var isSame = true
    while let bytes = try next(end: total) {
      try check(bytes, discarding: false)
      let position = cursor.position
      let count = Int64(bytes.count)
      guard position + count <= limit else { throw .tooLarge(url: redactedURL, limit: limit) }
      let known = isSame ? Int(min(count, held - position)) : 0
      if known > 0, try !part.contains(bytes[..<known], at: position) {
        isSame = false
        try part.truncate(to: position)
        adopt(true)
        try part.write(bytes[...], at: position)
      } else if known < bytes.count {
        if isSame { adopt(false) }
        isSame = false
        try part.write(bytes[known...], at: position + Int64(known))
      }
      cursor.advance(bytes.count)
      recycle(bytes)
    }
    try check([], isLast: true, discarding: !isSame)
    if isSame, cursor.position < held { throw .cut(url: redactedURL, held: held, total: total) }
    let trailer = response.transfer.head.flatMap { DigestField.published($0) }
    part.ends(at: cursor.position, published: trailer, end(total))
    if part.end == .ambiguous { throw .endUnseen(url: redactedURL) }
  }

  /// Throws `not-media` if the first bytes are not those of a video, and discards the bytes already
  /// written.
  ///
  /// A web page, a picture or an archive under a video's name then costs a few kilobytes, not the
  /// whole transfer. An unrecognised format passes: the check of the whole file decides about it.
  private func check(
    _ bytes: [UInt8], isLast: Bool = false, discarding: Bool
  ) throws(TransferError) {
    guard var prefix else { return }
    prefix += bytes.prefix(MediaKind.sniffLength - prefix.count)
    let isEnough = prefix.count == MediaKind.sniffLength || isLast
    self.prefix = isEnough ? nil : prefix
    guard isEnough, let kind = MediaKind.sniff(prefix), !kind.isMedium else { return }
    if discarding { try part.reset(SourceVersion(), from: response.url, aside: false) }
    throw .notMedia(url: redactedURL, type: kind.rawValue)
  }

  /// Lowers the limit of a document whose type or first bytes are those of a text. A text has no
  /// zero bytes; UTF-16 ends at the check of the whole.
  private func lowerLimit(of bytes: [UInt8]) {
    guard let textLimit else { return }
    self.textLimit = nil
    let first = bytes.prefix(MediaKind.sniffLength)
    let isText =
      response.head.contentType?.hasPrefix("text/") == true
      || MediaKind.sniff(first)?.isText == true
    if isText, !first.contains(0) { limit = min(limit, textLimit) }
  }

  /// The next bytes; nil once the body, or the wanted range of it, is complete.
  ///
  /// - Parameter end: the expected end, if known. A body that reaches it is complete, however the
  ///   connection ended.
  private func next(end: Int64?) throws(TransferError) -> [UInt8]? {
    while true {
      if cursor.isTruncated, cursor.isDone { return nil }
      switch try session.event(of: response.transfer) {
      case .body(let bytes):
        session.received += Int64(bytes.count)
        if response.head.total == nil { try session.checkUnannounced() }
        return bytes
      case .end(let reason):
        if cursor.position == end || end == nil && reason == .complete { return nil }
        throw session.error(reason, of: response.url, hasHead: true)
      case .head, nil: continue
      }
    }
  }

  private func write(_ bytes: ArraySlice<UInt8>) throws(TransferError) {
    connections.continueFirst(to: cursor.position + Int64(bytes.count))
    try cursor.write(bytes, part, url: redactedURL)
  }

  private func recycle(_ bytes: consuming [UInt8]) {
    if response.transfer.recycle(bytes) { session.loop.wake() }
  }
}
