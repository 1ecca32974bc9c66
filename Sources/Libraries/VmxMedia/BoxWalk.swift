/// MP4, MOV and related formats (ISO 14496-12): a sequence of boxes, each with its length.
///
/// - A box that extends beyond the end of the file means truncation; so does a track whose last
///   samples lie there.
/// - Without an index (`moov`) the file cannot be played. The same holds for an index that only
///   announces fragments if there are none.
/// - After the last box only the tags and padding that some programs append are accepted. The file
///   must not be fragmented, and all samples must lie before that data.
/// - A second film begins with `ftyp` or an index (`moov`) after the first one. Fragmented files
///   may repeat both, since players accept a recording in several runs.
/// - The last chunk of a track must end within the media data (`mdat`) in which it begins.
struct BoxWalk {
  /// The box types at the top level of a file; other letters may belong to a tag.
  private static let outer: Set<String> = [
    "ftyp", "styp", "moov", "moof", "mfra", "mdat", "free", "skip", "wide", "meta", "uuid", "udta",
    "sidx", "ssix", "prft", "emsg", "pdin", "pnot",
  ]

  private let bytes: MediaBytes
  private var index: MovieIndex?
  /// Whether a box follows the first one.
  private var hasBoxes = false
  private var hasFragments = false
  private var hasMedia = false
  /// The first media data (`mdat`), by the offsets of their contents.
  private var media: [Range<Int64>] = []
  private static let maxMedia = 1024
  /// Whether the last box has a length and ends at the end of the file.
  private var endsWithBox = false

  /// The playing time in milliseconds; nil if it is not known.
  var duration: Int64? { index?.duration }
  /// Whether the file ends with a box, and has an index of all samples.
  var isClosed: Bool {
    endsWithBox && !hasFragments && index.map { !$0.announcesFragments } ?? false
  }

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
      hasBoxes = hasBoxes || offset > 0
      offset = box.end
      endsWithBox = box.hasLength && offset == bytes.size
    }
    try checkCompleteness()
  }

  private mutating func check(_ box: Box) throws(WalkError) {
    guard box.end <= bytes.size else { throw try bytes.truncationFault(at: box.start, of: box.end) }
    let isFragmented = hasFragments || index?.announcesFragments ?? false
    switch box.type {
    case "ftyp" where index != nil && !isFragmented, "moov" where index != nil && !isFragmented:
      throw .broken(.joined, at: box.start)
    case "moov": index = try MovieIndex(bytes, box)
    case "moof": hasFragments = true
    case "mdat":
      hasMedia = true
      if media.count < Self.maxMedia { media.append(box.body..<max(box.body, box.end)) }
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
      if try index.end() <= offset {
        try checkCompleteness()
        guard try bytes.isAppendix(from: offset) else { throw try bytes.tailFault(at: offset) }
        return
      }
    } else if bytes.size - offset < 8 {
      throw bytes.truncationFault(of: nil)
    }
    let fault = try bytes.fault(at: offset)
    // A head alone does not show that the rest is meant to be boxes.
    let type = String(decoding: try bytes.piece(at: offset, count: 8).dropFirst(4), as: UTF8.self)
    if !hasBoxes, !Self.outer.contains(type), case .broken(.disorder, _) = fault {
      throw .unsupported
    }
    throw fault
  }

  /// Checks that the file has an index and all samples that it describes.
  private func checkCompleteness() throws(WalkError) {
    guard let index else { throw .broken(.incomplete(.index), at: bytes.size) }
    if index.announcesFragments, !hasFragments, !hasMedia {
      throw .broken(.incomplete(.media), at: bytes.size)
    }
    let end = try index.end()
    if end > bytes.size { throw bytes.truncationFault(of: end) }
    if media.count < Self.maxMedia, let end = try index.overrun(of: media) {
      throw .broken(.joined, at: end)
    }
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
  /// Whether it states its length; else it extends to the end of its container.
  let hasLength: Bool

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
    hasLength = head >> 32 != 0
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
