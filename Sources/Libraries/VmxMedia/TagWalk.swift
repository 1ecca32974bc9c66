/// FLV: tags, each followed by its own length, so that the last one can be found from the end. If
/// that fails, because a program wrote wrong lengths or the file is truncated, all tags are walked.
struct TagWalk {
  private static let headLength: Int64 = 11
  private static let types: Set<UInt8> = [8, 9, 18]

  private let bytes: MediaBytes

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Returns the structural fault of the file; nil if it is sound.
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
      // No player needs the length after the last tag.
      if end > bytes.size { return bytes.cut(of: end) }
      offset = end + 4
    }
    return offset > Int64(head) + 4 ? nil : StructureFault(.incomplete(.media), at: bytes.size)
  }

  /// Returns the offset of the first byte after a tag and before its length; nil if no tag begins
  /// there.
  private func end(of offset: Int64) throws(WalkEnd) -> Int64? {
    guard offset >= 9, let head = try bytes.number(at: offset, bytes: 4),
      try bytes.byte(at: offset + Self.headLength - 1) != nil,
      Self.types.contains(UInt8(head >> 24) & 0x1F)
    else { return nil }
    return offset + Self.headLength + Int64(head & 0xFF_FFFF)
  }
}
