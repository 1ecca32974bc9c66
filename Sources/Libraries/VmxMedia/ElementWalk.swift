/// Matroska and WebM (RFC 8794, RFC 9559): nested elements, each with its length. Live streams
/// leave the length of segments and clusters unknown.
///
/// - An element that extends beyond the end of the file means truncation.
/// - After the end of a segment of known length only the tags and padding that some programs append
///   are accepted, and no second head: players play only the first of two joined films. A live
///   stream may begin anew.
struct ElementWalk {
  private enum ID {
    static let head: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let cluster: UInt64 = 0x1F43_B675
    static let chapters: UInt64 = 0x1043_A770
    static let void: UInt64 = 0xEC
    static let info: UInt64 = 0x1549_A966
    static let timeUnit: UInt64 = 0x2A_D7B1
    static let duration: UInt64 = 0x4489
    /// The children of a segment, which end an element of unknown length.
    static let ofSegment: Set<UInt64> = [
      cluster, chapters, 0x114D_9B74, 0x1549_A966, 0x1654_AE6B, 0x1C53_BB6B, 0x1941_A469,
      0x1254_C367,
    ]
  }

  private let bytes: MediaBytes
  private var hasMedia = false
  /// The playing time in milliseconds; nil if it is not known.
  private(set) var duration: Int64?
  /// Whether the last segment has a length and ends at the end of the file.
  private(set) var isClosed = false

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Walks the elements at the top level of the file.
  mutating func run() throws(WalkError) {
    var offset: Int64 = 0
    var hasEnded = false
    while offset < bytes.size {
      let element = try Element(bytes, at: offset)
      guard let element, [ID.head, ID.segment, ID.void].contains(element.id) else {
        guard hasEnded else { throw try fault(at: offset) }
        guard try bytes.isAppendix(from: offset) else { throw try bytes.tailFault(at: offset) }
        break
      }
      if element.id == ID.head, hasEnded { throw .broken(.joined, at: offset) }
      if element.id == ID.segment {
        offset = try endOfSegment(element)
        hasEnded = element.end != nil
        isClosed = element.end == bytes.size
      } else {
        offset = try element.next(in: bytes)
      }
    }
    guard hasMedia else { throw .broken(.incomplete(.media), at: bytes.size) }
  }

  /// Walks the children of a segment, and those of clusters of unknown length; returns the offset
  /// after it.
  private mutating func endOfSegment(_ segment: Element) throws(WalkError) -> Int64 {
    var (hasMedia, duration) = (hasMedia, duration)
    defer { (self.hasMedia, self.duration) = (hasMedia, duration) }
    let end = segment.end ?? bytes.size
    return try walk(segment, upTo: end) { element throws(WalkError) in
      if segment.end == nil, element.id == ID.head || element.id == ID.segment { return nil }
      hasMedia = hasMedia || element.id == ID.cluster || element.id == ID.chapters
      if element.id == ID.info { duration = try playingTime(in: element) }
      return element.id == ID.cluster
        ? try endOfCluster(element, in: end) : try element.next(in: bytes)
    }
  }

  /// Returns the playing time that the information about a segment states, in milliseconds.
  func playingTime(in info: Element) throws(WalkError) -> Int64? {
    var (unit, units) = (1_000_000.0, 0.0)
    guard let end = info.end, end <= bytes.size else { return nil }
    _ = try walk(info, upTo: end) { element throws(WalkError) in
      let next = try element.next(in: bytes)
      let count = Int(next - element.body)
      guard (1...8).contains(count), let number = try bytes.number(at: element.body, bytes: count)
      else { return next }
      if element.id == ID.timeUnit { unit = Double(number) }
      if element.id == ID.duration {
        units =
          count == 4
          ? Double(Float(bitPattern: UInt32(number))) : Double(bitPattern: number)
      }
      return next
    }
    let milliseconds = units * unit / 1_000_000
    return milliseconds >= 1 && milliseconds < 1e12 ? Int64(milliseconds) : nil
  }

  /// Checks the content of a cluster if its length is unknown or it is the last, else only its
  /// first bytes; returns the offset after it.
  private func endOfCluster(_ cluster: Element, in segment: Int64) throws(WalkError) -> Int64 {
    try walk(cluster, upTo: cluster.end ?? segment) { element throws(WalkError) in
      guard let end = cluster.end else {
        let isOutside = ID.ofSegment.contains(element.id) || element.id == ID.head
        return isOutside ? nil : try element.next(in: bytes)
      }
      let next = try element.next(in: bytes)
      return end < segment ? end : next
    }
  }

  /// Walks the children of an element; returns the offset after the last one.
  ///
  /// - Parameter step: returns the offset after a child; nil if the element ends before it.
  private func walk(
    _ parent: Element, upTo end: Int64, _ step: (Element) throws(WalkError) -> Int64?
  ) throws(WalkError) -> Int64 {
    if let end = parent.end, end > bytes.size { throw bytes.truncationFault(of: end) }
    var offset = parent.body
    while offset < end {
      guard let child = try Element(bytes, at: offset) else { throw try fault(at: offset) }
      guard let next = try step(child) else { break }
      offset = next
    }
    return offset
  }

  /// Returns the fault of bytes that are not an element: a header cut by the end of the file, or
  /// damage.
  private func fault(at offset: Int64) throws(WalkError) -> WalkError {
    let first = try bytes.byte(at: offset) ?? 0
    let isCutHead = bytes.size - offset < 12 && first >= 0x10
    return isCutHead ? bytes.truncationFault(of: nil) : try bytes.fault(at: offset)
  }
}

/// An element: its id, the start of its content and, if known, its end.
struct Element {
  let start: Int64
  let id: UInt64
  let body: Int64
  let end: Int64?

  /// Parses the element at an offset; nil if there is none.
  init?(_ bytes: MediaBytes, at offset: Int64) throws(WalkError) {
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

  /// Returns the offset after the element, which must have a length and end within the file.
  func next(in bytes: MediaBytes) throws(WalkError) -> Int64 {
    guard let end else { throw .broken(.disorder, at: body) }
    guard end <= bytes.size else { throw try bytes.truncationFault(at: start, of: end) }
    return end
  }
}
