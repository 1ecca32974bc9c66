/// MP4, MOV and related formats (ISO 14496-12): a sequence of boxes, each with its length.
///
/// - A box that extends beyond the end of the file means truncation; so does a track whose last
///   samples lie there.
/// - Without an index (`moov`) the file cannot be played. The same holds for an index that only
///   announces fragments if there are none.
/// - After the last box any data but a web page is accepted, because some programs append tags and
///   padding there. The file must not be fragmented, and all samples must lie before that data.
struct BoxWalk {
  /// The box types at the top level of a file; other letters may belong to a tag.
  private static let outer: Set<String> = [
    "ftyp", "styp", "moov", "moof", "mfra", "mdat", "free", "skip", "wide", "meta", "uuid", "udta",
    "sidx", "ssix", "prft", "emsg", "pdin", "pnot",
  ]

  private let bytes: MediaBytes
  private var index: MovieIndex?
  private var hasFragments = false
  private var hasMedia = false

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Walks the boxes at the top level of the file.
  mutating func run() throws(WalkError) {
    var offset: Int64 = 0
    while offset < bytes.size {
      guard let box = try Box(bytes, at: offset, in: bytes.size),
        box.end <= bytes.size || Self.outer.contains(box.type)
      else { return try checkTail(from: offset) }
      try check(box)
      offset = box.end
    }
    try checkCompleteness()
  }

  private mutating func check(_ box: Box) throws(WalkError) {
    guard box.end <= bytes.size else { throw try bytes.truncationFault(at: box.start, of: box.end) }
    switch box.type {
    case "moov": index = try MovieIndex(bytes, box)
    case "moof": hasFragments = true
    case "mdat": hasMedia = true
    case "sidx": try checkSegmentIndex(box)
    default: break
    }
  }

  /// Checks that the data announced by a segment index (`sidx`) lie within the file.
  private func checkSegmentIndex(_ box: Box) throws(WalkError) {
    guard let version = try bytes.byte(at: box.body) else { return }
    let wide = version == 0 ? 4 : 8
    var offset = box.body + 12
    guard let first = try bytes.number(at: offset + Int64(wide), bytes: wide),
      let count = try bytes.number(at: offset + Int64(2 * wide) + 2, bytes: 2)
    else { return }
    offset += Int64(2 * wide) + 4
    var end = box.end.addingReportingOverflow(Int64(clamping: first))
    for _ in 0..<count where offset + 12 <= box.end && !end.overflow {
      guard let entry = try bytes.number(at: offset, bytes: 4) else { return }
      end = end.partialValue.addingReportingOverflow(Int64(entry & 0x7FFF_FFFF))
      offset += 12
    }
    if !end.overflow, end.partialValue > bytes.size {
      throw bytes.truncationFault(of: end.partialValue)
    }
  }

  /// Checks bytes that are not a box: padding and tags after the end, or damage.
  private func checkTail(from offset: Int64) throws(WalkError) {
    if try bytes.isPage(at: offset) { throw .broken(.page, at: offset) }
    if let index, !hasFragments, !index.announcesFragments {
      if try index.end() <= offset { return try checkCompleteness() }
    } else if bytes.size - offset < 8 {
      throw bytes.truncationFault(of: nil)
    }
    throw try bytes.fault(at: offset)
  }

  /// Checks that the file has an index and all samples that it describes.
  private func checkCompleteness() throws(WalkError) {
    guard let index else { throw .broken(.incomplete(.index), at: bytes.size) }
    if index.announcesFragments, !hasFragments, !hasMedia {
      throw .broken(.incomplete(.media), at: bytes.size)
    }
    let end = try index.end()
    if end > bytes.size { throw bytes.truncationFault(of: end) }
    if let chunk = try index.emptyChunk() { throw .broken(.zeros, at: chunk) }
  }
}

/// A box: its start, its content and its end.
struct Box {
  let start: Int64
  /// The four-character type.
  let type: String
  /// The offset of the first byte after its header.
  let body: Int64
  /// The offset of the first byte after it, which may lie beyond its container.
  let end: Int64

  /// Parses the box at an offset; nil if there is none.
  ///
  /// - Parameter end: offset of the first byte after its container; a length of 0 extends to it.
  init?(_ bytes: MediaBytes, at offset: Int64, in end: Int64) throws(WalkError) {
    guard offset + 8 <= end, let head = try bytes.number(at: offset, bytes: 8) else { return nil }
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: head >> $0) }
    // QuickTime uses its own names, which begin with a copyright sign.
    guard letters.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }) else { return nil }
    start = offset
    type = String(decoding: letters, as: UTF8.self)
    switch head >> 32 {
    case 0:
      body = offset + 8
      self.end = end
    case 1:
      guard let long = try bytes.number(at: offset + 8, bytes: 8), long >= 16,
        long <= UInt64(Int64.max - offset)
      else { return nil }
      body = offset + 16
      self.end = offset + Int64(long)
    case let length:
      guard length >= 8 else { return nil }
      body = offset + 8
      self.end = offset + Int64(length)
    }
  }
}
