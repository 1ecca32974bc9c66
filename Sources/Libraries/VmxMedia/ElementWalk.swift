/// Matroska and WebM (RFC 8794, RFC 9559): elements within elements, each with its length, which
/// live streams leave open for segments and clusters.
///
/// - An element that goes on beyond the end of the file is a cut.
/// - Behind the end of a segment whose length is told, anything but a web page is let pass.
struct ElementWalk {
  private enum ID {
    static let head: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let cluster: UInt64 = 0x1F43_B675
    static let chapters: UInt64 = 0x1043_A770
    static let void: UInt64 = 0xEC
    /// Those that stand in a segment itself, and so end what has no length.
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

  /// What is wrong with the file; nil where it is sound.
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

  /// Walks the parts of a segment, and of clusters that do not tell their length.
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

  /// Looks into a cluster where its length is open, where it is the last, and else at its front.
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

  /// What begins no element: the head of one that the file ends in, or damage.
  private func fault(at offset: Int64) throws(WalkEnd) -> StructureFault {
    let first = try bytes.byte(at: offset) ?? 0
    let isCutHead = bytes.size - offset < 12 && first >= 0x10
    return isCutHead ? bytes.cut(of: nil) : try bytes.fault(at: offset)
  }
}

/// Where a walk goes on, or why it does not.
private enum ElementStep {
  case next(Int64)
  case fault(StructureFault)
}

/// One element: what it is, where its body begins and, if it tells, where it ends.
private struct Element {
  let start: Int64
  let id: UInt64
  let body: Int64
  let end: Int64?

  /// The element at an offset; nil where none can begin there.
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

  /// The step over it, if it has a length and ends within the file.
  func checked(_ bytes: MediaBytes) throws(WalkEnd) -> ElementStep {
    guard let end else { return .fault(StructureFault(.disorder, at: body)) }
    return end > bytes.size ? .fault(try bytes.cut(at: start, of: end)) : .next(end)
  }
}
