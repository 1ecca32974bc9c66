/// Matroska and WebM (RFC 8794, RFC 9559): nested elements, each with its length. Live streams
/// leave the length of segments and clusters unknown.
///
/// - An element that extends beyond the end of the file means truncation.
/// - After the end of a segment of known length any data but a web page is accepted.
struct ElementWalk {
  private enum ID {
    static let head: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let cluster: UInt64 = 0x1F43_B675
    static let chapters: UInt64 = 0x1043_A770
    static let void: UInt64 = 0xEC
    /// The children of a segment, which end an element of unknown length.
    static let ofSegment: Set<UInt64> = [
      cluster, chapters, 0x114D_9B74, 0x1549_A966, 0x1654_AE6B, 0x1C53_BB6B, 0x1941_A469,
      0x1254_C367,
    ]
  }

  private let bytes: MediaBytes
  private var hasMedia = false

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Returns the structural fault of the file; nil if it is sound.
  mutating func fault() throws(WalkEnd) -> StructureFault? {
    var offset: Int64 = 0
    var hasEnded = false
    while offset < bytes.size {
      let element = try Element(bytes, at: offset)
      guard let element, [ID.head, ID.segment, ID.void].contains(element.id) else {
        if hasEnded, try !bytes.isPage(at: offset) { break }
        return try fault(at: offset)
      }
      switch try element.id == ID.segment ? segment(element) : element.checked(bytes) {
      case .fault(let fault): return fault
      case .next(let next): offset = next
      }
      hasEnded = hasEnded || element.id == ID.segment
    }
    return hasMedia ? nil : StructureFault(.incomplete(.media), at: bytes.size)
  }

  /// Walks the children of a segment, and those of clusters of unknown length.
  private mutating func segment(_ segment: Element) throws(WalkEnd) -> ElementStep {
    if let end = segment.end, end > bytes.size { return .fault(bytes.cut(of: end)) }
    let end = segment.end ?? bytes.size
    var offset = segment.body
    while offset < end {
      guard let element = try Element(bytes, at: offset) else {
        return .fault(try fault(at: offset))
      }
      if segment.end == nil, element.id == ID.head || element.id == ID.segment { break }
      hasMedia = hasMedia || element.id == ID.cluster || element.id == ID.chapters
      let step =
        element.id == ID.cluster ? try cluster(element, in: end) : try element.checked(bytes)
      guard case .next(let next) = step else { return step }
      offset = next
    }
    return .next(offset)
  }

  /// Checks the content of a cluster if its length is unknown or it is the last, else only its
  /// first bytes.
  private func cluster(_ cluster: Element, in segment: Int64) throws(WalkEnd) -> ElementStep {
    if let end = cluster.end, end > bytes.size { return .fault(bytes.cut(of: end)) }
    let end = cluster.end ?? segment
    var offset = cluster.body
    while offset < end {
      guard let element = try Element(bytes, at: offset) else {
        return .fault(try fault(at: offset))
      }
      if cluster.end == nil, ID.ofSegment.contains(element.id) || element.id == ID.head { break }
      let step = try element.checked(bytes)
      guard case .next(let next) = step else { return step }
      if cluster.end != nil, end < segment { return .next(end) }
      offset = next
    }
    return .next(offset)
  }

  /// Returns the fault of bytes that are not an element: a header cut by the end of the file, or
  /// damage.
  private func fault(at offset: Int64) throws(WalkEnd) -> StructureFault {
    let first = try bytes.byte(at: offset) ?? 0
    let isCutHead = bytes.size - offset < 12 && first >= 0x10
    return isCutHead ? bytes.cut(of: nil) : try bytes.fault(at: offset)
  }
}

/// The next offset of a walk, or the fault that ends it.
private enum ElementStep {
  case next(Int64)
  case fault(StructureFault)
}

/// An element: its id, the start of its content and, if known, its end.
private struct Element {
  let start: Int64
  let id: UInt64
  let body: Int64
  let end: Int64?

  /// Parses the element at an offset; nil if there is none.
  init?(_ bytes: MediaBytes, at offset: Int64) throws(WalkEnd) {
    guard let first = try bytes.byte(at: offset) else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4, let id = try bytes.number(at: offset, bytes: idLength) else { return nil }
    start = offset
    self.id = id
    let sizeAt = offset + Int64(idLength)
    guard let front = try bytes.byte(at: sizeAt), front != 0 else { return nil }
    let sizeLength = front.leadingZeroBitCount + 1
    guard let size = try bytes.number(at: sizeAt, bytes: sizeLength) else { return nil }
    let mask = (UInt64(1) << (7 * sizeLength)) - 1
    body = sizeAt + Int64(sizeLength)
    end = size & mask == mask ? nil : body + Int64(size & mask)
  }

  /// Returns the step over the element, if it has a length and ends within the file.
  func checked(_ bytes: MediaBytes) throws(WalkEnd) -> ElementStep {
    guard let end else { return .fault(StructureFault(.disorder, at: body)) }
    return end > bytes.size ? .fault(try bytes.cut(at: start, of: end)) : .next(end)
  }
}
