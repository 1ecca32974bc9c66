import VmxModel

// Unlike MP4 and Matroska, these containers state no playing time, or not that of the whole file.
// It follows from rates, counts and the times of the first and last parts.

/// The playing times of containers that have no index, in milliseconds.
extension MediaBytes {
  /// Returns the playing time of a file of a kind; nil if it cannot be determined.
  func duration(of kind: MediaKind?) throws(WalkError) -> Int64? {
    switch kind {
    case .avi: try durationOfAVI()
    case .flv: try durationOfFLV()
    case .oggVideo, .oggAudio: try durationOfOgg()
    case .flac: try durationOfFLAC(at: 4)
    case .wav: try durationOfWAV()
    case .mp3: try durationOfMP3()
    case .mpegTS: try durationOfPackets()
    default: nil
    }
  }

  /// Returns the time of a number of units at a rate per second; nil for none, or for more than a
  /// year.
  private static func milliseconds(_ count: UInt64?, per rate: UInt64?) -> Int64? {
    guard let count, let rate, rate > 0, count > 0, count < 1 << 53 else { return nil }
    let (scaled, overflow) = count.multipliedReportingOverflow(by: 1000)
    let time = overflow ? count / rate * 1000 : scaled / rate
    return (1...31_536_000_000).contains(time) ? Int64(time) : nil
  }

  /// The frames of the main header (`avih`), or of the whole file where it has several RIFF lists
  /// (`dmlh`), with the microseconds of each.
  private func durationOfAVI() throws(WalkError) -> Int64? {
    guard try number(at: 20, bytes: 4) == fourCC("hdrl"),
      try number(at: 24, bytes: 4) == fourCC("avih"),
      let length = try littleEndian32(at: 32), length > 0
    else { return nil }
    let header = try piece(at: 12, count: 64 << 10)
    let extended = header.indices.first { header[$0...].starts(with: "dmlh".utf8) }
    let all = try extended.flatMap { index throws(WalkError) in
      try littleEndian32(at: Int64(index) + 12 + 8)
    }
    let frames = try max(all ?? 0, littleEndian32(at: 48) ?? 0)
    return Self.milliseconds(UInt64(frames) * UInt64(length), per: 1_000_000)
  }

  /// The time of the last tag, which its length after it finds.
  private func durationOfFLV() throws(WalkError) -> Int64? {
    guard let length = try number(at: size - 4, bytes: 4),
      let time = try number(at: size - 4 - Int64(length) + 4, bytes: 4)
    else { return nil }
    // The highest byte of the time comes last.
    return Self.milliseconds(time >> 8 | (time & 0xFF) << 24, per: 1000)
  }

  /// The total of samples in the block STREAMINFO (RFC 9639, section 8.2).
  private func durationOfFLAC(at block: Int64) throws(WalkError) -> Int64? {
    guard let facts = try number(at: block + 4 + 10, bytes: 8) else { return nil }
    return Self.milliseconds(facts & 0xF_FFFF_FFFF, per: facts >> 44)
  }

  /// The length of the data with the bytes of a second.
  private func durationOfWAV() throws(WalkError) -> Int64? {
    var offset: Int64 = 12
    var rate: Int64?
    while let length = try littleEndian32(at: offset + 4) {
      switch try number(at: offset, bytes: 4) {
      case fourCC("fmt "): rate = try littleEndian32(at: offset + 16)
      case fourCC("data"):
        let held = min(length == 0 ? .max : length, size - offset - 8)
        return Self.milliseconds(UInt64(max(0, held)), per: rate.map { UInt64($0) })
      default: break
      }
      offset += 8 + length + length & 1
    }
    return nil
  }

  /// The number of frames in the header that encoders write into the first frame. Without it the
  /// bit rate may vary, and only all frames would tell.
  private func durationOfMP3() throws(WalkError) -> Int64? {
    var start: Int64 = 0
    if let tag = try number(at: 0, bytes: 8), tag >> 40 == 0x49_4433,
      let length = try number(at: 6, bytes: 4)
    {
      // Four bytes of seven bits (ID3v2.4, section 6.2).
      start = 10 + [24, 16, 8, 0].reduce(0) { $0 << 7 | Int64(length >> $1 & 0x7F) }
    }
    guard let head = try number(at: start, bytes: 4), head >> 21 == 0x7FF, head >> 17 & 3 == 1,
      head >> 10 & 3 < 3
    else { return nil }
    let (version, isMono) = (head >> 19 & 3, head >> 6 & 3 == 3)
    let isFirst = version == 3
    let rates: [UInt64] = [44_100, 48_000, 32_000]
    let rate = rates[Int(head >> 10 & 3)] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let side: Int64 = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let name = try number(at: start + 4 + side, bytes: 4)
    var frames: UInt64?
    if name == fourCC("Xing") || name == fourCC("Info"),
      let flags = try number(at: start + 8 + side, bytes: 4), flags & 1 == 1
    {
      frames = try number(at: start + 12 + side, bytes: 4)
    } else if try number(at: start + 36, bytes: 4) == fourCC("VBRI") {
      frames = try number(at: start + 50, bytes: 4)
    }
    return Self.milliseconds(frames.map { $0 * (isFirst ? 1152 : 576) }, per: rate)
  }

  /// The position of the last page of the first stream whose rate is known (RFC 3533, section 6).
  private func durationOfOgg() throws(WalkError) -> Int64? {
    let front = try piece(at: 0, count: 4096)
    var page = 0
    while page + 28 < front.count, front[page...].starts(with: "OggS".utf8),
      front[page + 5] & 2 != 0
    {
      let segments = Int(front[page + 26])
      let body = page + 27 + segments
      guard body <= front.count else { return nil }
      let end = front[page + 27..<body].reduce(body) { $0 + Int($1) }
      let packet = Array(front[min(body, front.count)..<min(end, front.count)])
      let serial = Array(front[page + 14..<page + 18])
      if let (rate, skipped) = Self.rate(of: packet),
        let position = try lastPosition(of: serial)
      {
        return Self.milliseconds(position > skipped ? position - skipped : 0, per: rate)
      }
      page = end
    }
    return nil
  }

  /// Returns the samples of a second and the number of those to skip, from the first packet of an
  /// audio stream (RFC 7845, section 5.1; Vorbis I, section 4.2.2; RFC 9639, section 10.1).
  private static func rate(of packet: [UInt8]) -> (rate: UInt64, skipped: UInt64)? {
    func little(_ offset: Int, _ count: Int) -> UInt64 {
      packet[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    if packet.starts(with: "OpusHead".utf8), packet.count >= 12 { return (48_000, little(10, 2)) }
    if packet.starts(with: [1] + "vorbis".utf8), packet.count >= 16 { return (little(12, 4), 0) }
    if packet.starts(with: [0x7F] + "FLAC".utf8), packet.count >= 31 {
      return (packet[27..<30].reduce(0) { $0 << 8 | UInt64($1) } >> 4, 0)
    }
    return nil
  }

  /// Returns the position in the last page of a stream within the tail of the file.
  private func lastPosition(of serial: [UInt8]) throws(WalkError) -> UInt64? {
    let tail = try piece(at: max(0, size - 128 << 10), count: 128 << 10)
    var page = tail.count - 27
    while page >= 0 {
      let position = tail[page + 6..<min(page + 14, tail.count)]
      if tail[page] == UInt8(ascii: "O"), tail[page...].starts(with: "OggS".utf8),
        tail[page + 14..<page + 18].elementsEqual(serial), position.contains(where: { $0 != 0xFF })
      {
        return position.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      page -= 1
    }
    return nil
  }

  /// The time between the first and the last clock reference of a program (ISO 13818-1, section
  /// 2.4.3.5).
  private func durationOfPackets() throws(WalkError) -> Int64? {
    let front = try piece(at: 0, count: 128 << 10)
    let form = [(length: 188, lead: 0), (192, 4), (204, 0)].first { form in
      (0..<4).allSatisfy { index in
        let offset = form.lead + index * form.length
        return offset < front.count && front[offset] == 0x47
      }
    }
    guard let form else { return nil }
    let length = Int64(form.length)
    let count = (size - Int64(form.lead)) / length
    let tailStart = Int64(form.lead) + max(0, count - (128 << 10) / length) * length
    let tail = try piece(at: tailStart, count: 128 << 10)
    let firsts = Self.references(in: front, from: form.lead, form.length)
    let lasts = Self.references(in: tail, from: 0, form.length)
    guard let first = firsts.first, let last = lasts.last(where: { $0.program == first.program })
    else { return nil }
    // The reference has 33 bits and begins again after 26 hours.
    return Self.milliseconds((last.time &- first.time) & 0x1_FFFF_FFFF, per: 90_000)
  }

  /// Returns the clock references of packets, with the programs they belong to.
  private static func references(
    in piece: [UInt8], from start: Int, _ length: Int
  ) -> [(program: Int, time: UInt64)] {
    stride(from: start, to: piece.count - 12, by: length).compactMap { packet in
      guard piece[packet] == 0x47, piece[packet + 3] & 0x20 != 0, piece[packet + 4] >= 7,
        piece[packet + 5] & 0x10 != 0
      else { return nil }
      let program = Int(piece[packet + 1] & 0x1F) << 8 | Int(piece[packet + 2])
      let time = piece[packet + 6..<packet + 11].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (program, time >> 7)
    }
  }
}
