/// Ogg (RFC 3533): pages that tell the lengths of their pieces. The last page must end where the
/// file ends; what comes before is not looked at, since pages are small and many.
struct PageWalk {
  /// More than the largest page, so that one begins in any such piece.
  private static let window = 128 << 10
  private static let capture: [UInt8] = Array("OggS".utf8)
  private static let headLength = 27

  private let bytes: MediaBytes

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// What is wrong with the file; nil where it is sound.
  func fault() throws(WalkEnd) -> StructureFault? {
    let start = max(0, bytes.size - Int64(Self.window))
    let tail = try bytes.piece(at: start, count: Self.window)
    var place = 0
    var last: Int?
    while let page = page(in: tail, from: place) {
      var next = page
      // The letters may stand within a page too: a wrong chain ends soon, and the search goes on.
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

  /// The first byte behind a page; nil where none begins, or its head is cut.
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
