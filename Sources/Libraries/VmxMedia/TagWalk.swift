/// FLV: tags, each followed by its own length, so that the last can be found from the end. Where
/// that fails, because a program wrote wrong lengths or the file is cut, all are walked.
struct TagWalk {
  private static let headLength: Int64 = 11
  private static let types: Set<UInt8> = [8, 9, 18]

  private let bytes: MediaBytes

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// What is wrong with the file; nil where it is sound.
  func fault() throws(WalkEnd) -> StructureFault? {
    if let length = try bytes.number(at: bytes.size - 4, bytes: 4),
      let end = try end(of: bytes.size - 4 - Int64(length)), end == bytes.size - 4
    {
      return nil
    }
    guard let head = try bytes.number(at: 5, bytes: 4) else { return bytes.cut(of: nil) }
    var offset = Int64(head) + 4
    while offset < bytes.size {
      guard let end = try end(of: offset) else {
        let isHead = bytes.size - offset < Self.headLength
        return isHead ? bytes.cut(of: nil) : try bytes.fault(at: offset)
      }
      // The length behind the last tag is missed by nobody.
      if end > bytes.size { return bytes.cut(of: end) }
      offset = end + 4
    }
    return offset > Int64(head) + 4 ? nil : StructureFault(.incomplete(.media), at: bytes.size)
  }

  /// The first byte behind a tag and before its length; nil where no tag begins.
  private func end(of offset: Int64) throws(WalkEnd) -> Int64? {
    guard offset >= 9, let head = try bytes.number(at: offset, bytes: 4),
      try bytes.byte(at: offset + Self.headLength - 1) != nil,
      Self.types.contains(UInt8(head >> 24) & 0x1F)
    else { return nil }
    return offset + Self.headLength + Int64(head & 0xFF_FFFF)
  }
}
