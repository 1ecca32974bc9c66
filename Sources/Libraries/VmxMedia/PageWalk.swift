/// Ogg (RFC 3533): pages that contain the lengths of their segments. The last page must end at the
/// end of the file. Earlier pages are not checked, since they are small and many.
struct PageWalk {
  /// More than the largest page, so that a page begins in any window of this size.
  private static let window = 128 << 10
  private static let capture: [UInt8] = Array("OggS".utf8)
  private static let headLength = 27

  private let bytes: MediaBytes

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Returns the structural fault of the file; nil if it is sound.
  func fault() throws(WalkEnd) -> StructureFault? {
    let start = max(0, bytes.size - Int64(Self.window))
    let tail = try bytes.piece(at: start, count: Self.window)
    var place = 0
    var last: Int?
    while let page = page(in: tail, from: place) {
      var next = page
      // The letters may also occur within a page: a wrong chain ends soon, and the search
      // continues.
      while next < tail.count, let end = end(of: next, in: tail) { next = end }
      if next == tail.count { return nil }
      last = next
      place = page + 1
    }
    guard let last else { return try bytes.fault(at: start) }
    if last > tail.count { return bytes.cut(of: start + Int64(last)) }
    let rest = tail[last...]
    if rest.prefix(4).elementsEqual(Self.capture.prefix(rest.count)) { return bytes.cut(of: nil) }
    return try bytes.fault(at: start + Int64(last))
  }

  private func page(in tail: [UInt8], from start: Int) -> Int? {
    guard start + 4 <= tail.count else { return nil }
    return (start...tail.count - 4).first { tail[$0..<$0 + 4].elementsEqual(Self.capture) }
  }

  /// Returns the offset of the first byte after a page; nil if there is none or its header is
  /// truncated.
  private func end(of page: Int, in tail: [UInt8]) -> Int? {
    guard page + Self.headLength <= tail.count,
      tail[page..<page + 4].elementsEqual(Self.capture)
    else { return nil }
    let pieces = Int(tail[page + Self.headLength - 1])
    let body = page + Self.headLength + pieces
    guard body <= tail.count else { return nil }
    return tail[body - pieces..<body].reduce(body) { $0 + Int($1) }
  }
}
