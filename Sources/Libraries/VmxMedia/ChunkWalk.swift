/// AVI: chunks within RIFF lists, of which large files have several.
///
/// - The list of video and audio data (`movi`) must lie within the file. So must the index after
///   it, if the header announces one.
/// - The total length is ignored, since many programs wrote a wrong one, as is a length that was
///   never filled in.
/// - After the `movi` list any data but a web page is accepted if no index is announced.
struct ChunkWalk {
  private static let unfilled: Set<Int64> = [0, 0xFFFF_FFFF]

  private let bytes: MediaBytes
  private var hasMedia = false
  private var lacksIndex = false

  init(_ bytes: MediaBytes) {
    self.bytes = bytes
  }

  /// Returns the structural fault of the file; nil if it is sound.
  mutating func fault() throws(WalkEnd) -> StructureFault? {
    var offset: Int64 = 0
    while offset + 12 <= bytes.size, let length = try bytes.littleNumber(at: offset + 4) {
      let end = offset + 8 + length
      switch try bytes.number(at: offset, bytes: 4) {
      case fourLetters("RIFF"):
        // Skips only its header: its content comes next.
        offset += 12
        continue
      case fourLetters("LIST"):
        guard try list(at: offset) else { break }
        if Self.unfilled.contains(length) { return nil }
        hasMedia = true
        if end > bytes.size { return bytes.cut(of: end) }
      case fourLetters("idx1"):
        if end > bytes.size { return bytes.cut(of: end) }
        if length >= 16, try bytes.isZero(from: end - 16, count: 16) {
          return StructureFault(.zeros, at: end - 16)
        }
        lacksIndex = false
      case let letters?:
        guard isName(letters), try !bytes.isPage(at: offset) else {
          return try fault(behind: offset)
        }
      case nil: return nil
      }
      offset = end + length & 1
    }
    return hasMedia && !lacksIndex ? nil : bytes.cut(of: nil)
  }

  /// Returns whether the list contains the video and audio data; reads the index flag from the list
  /// of headers.
  private mutating func list(at offset: Int64) throws(WalkEnd) -> Bool {
    let type = try bytes.number(at: offset + 8, bytes: 4)
    if type == fourLetters("hdrl"),
      try bytes.number(at: offset + 12, bytes: 4) == fourLetters("avih"),
      let flags = try bytes.littleNumber(at: offset + 32)
    {
      lacksIndex = flags & 0x10 != 0
    }
    return type == fourLetters("movi")
  }

  private func fault(behind offset: Int64) throws(WalkEnd) -> StructureFault? {
    let fault = try bytes.fault(at: offset)
    return hasMedia && !lacksIndex && fault.kind != .page ? nil : fault
  }

  private func isName(_ letters: UInt64) -> Bool {
    [24, 16, 8, 0].allSatisfy { (0x20...0x7E).contains(letters >> $0 & 0xFF) }
  }
}
