extension MediaBytes {
  /// Walks an AVI file: chunks within RIFF lists, of which large files have several.
  ///
  /// - The list of video and audio data (`movi`) must lie within the file. So must the index after
  ///   it, if the header announces one.
  /// - The total length is ignored, since many programs wrote a wrong one, as is a length that was
  ///   never filled in.
  /// - After the `movi` list any data but a web page is accepted if no index is announced.
  func walkChunks() throws(WalkError) {
    var offset: Int64 = 0
    var hasMedia = false
    var lacksIndex = false
    while offset + 12 <= size, let length = try littleEndian32(at: offset + 4) {
      let end = offset + 8 + length
      switch try number(at: offset, bytes: 4) {
      case fourCC("RIFF"):
        // Skips only its header: its content comes next.
        offset += 12
        continue
      case fourCC("LIST"):
        let type = try number(at: offset + 8, bytes: 4)
        if type == fourCC("hdrl") { lacksIndex = try announcesIndex(at: offset) ?? lacksIndex }
        guard type == fourCC("movi") else { break }
        // A length that was never filled in.
        if length == 0 || length == 0xFFFF_FFFF { return }
        hasMedia = true
        if end > size { throw truncationFault(of: end) }
      case fourCC("idx1"):
        if end > size { throw truncationFault(of: end) }
        if length >= 16, try isZero(from: end - 16, count: 16) {
          throw .broken(.zeros, at: end - 16)
        }
        lacksIndex = false
      case let letters?:
        let isName = [24, 16, 8, 0].allSatisfy { (0x20...0x7E).contains(letters >> $0 & 0xFF) }
        let isPage = try isPage(at: offset)
        if isName, !isPage { break }
        if !isPage, hasMedia, !lacksIndex { return }
        throw try fault(at: offset)
      case nil: return
      }
      offset = end + length & 1
    }
    if !hasMedia || lacksIndex { throw truncationFault(of: nil) }
  }

  /// Whether the list of headers announces an index after the data; nil if it lacks the main header
  /// (`avih`).
  private func announcesIndex(at list: Int64) throws(WalkError) -> Bool? {
    guard try number(at: list + 12, bytes: 4) == fourCC("avih") else { return nil }
    return try littleEndian32(at: list + 32).map { $0 & 0x10 != 0 }
  }

  /// Walks an FLV file: tags, each followed by its own length, so that the last one can be found
  /// from the end. If that fails, because a program wrote wrong lengths or the file is truncated,
  /// all tags are walked.
  func walkTags() throws(WalkError) {
    if let length = try number(at: size - 4, bytes: 4),
      try endOfTag(at: size - 4 - Int64(length)) == size - 4
    {
      return
    }
    guard let head = try number(at: 5, bytes: 4) else { throw truncationFault(of: nil) }
    let start = Int64(head) + 4
    var offset = start
    while offset < size {
      guard let end = try endOfTag(at: offset) else {
        throw size - offset < tagHead ? truncationFault(of: nil) : try fault(at: offset)
      }
      // No player needs the length after the last tag.
      if end > size { throw truncationFault(of: end) }
      offset = end + 4
    }
    if offset == start { throw .broken(.incomplete(.media), at: size) }
  }

  /// Returns the offset of the first byte after a tag and before its length; nil if no tag begins
  /// there.
  private func endOfTag(at offset: Int64) throws(WalkError) -> Int64? {
    guard offset >= 9, let head = try number(at: offset, bytes: 4),
      try byte(at: offset + tagHead - 1) != nil, [8, 9, 18].contains(head >> 24 & 0x1F)
    else { return nil }
    return offset + tagHead + Int64(head & 0xFF_FFFF)
  }
}

/// The length of the head of an FLV tag in bytes.
private let tagHead: Int64 = 11
