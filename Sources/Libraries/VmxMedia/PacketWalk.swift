/// Containers of small parts: only a sample of the parts, or the last of them, is checked.
extension MediaBytes {
  /// Checks the end of an Ogg file (RFC 3533): pages that contain the lengths of their segments.
  /// The last page must end at the end of the file. Earlier pages are not checked, since they are
  /// small and many.
  func walkPages() throws(WalkError) {
    // More than the largest page, so that a page begins in the tail.
    let start = max(0, size - 128 << 10)
    let tail = try piece(at: start, count: 128 << 10)
    var position = 0
    var last: Int?
    while let page = page(in: tail, from: position) {
      var next = page
      // The letters may also occur within a page: a wrong chain ends soon, and the search
      // continues.
      while next < tail.count, let end = endOfPage(at: next, in: tail) { next = end }
      if next == tail.count { return }
      last = next
      position = page + 1
    }
    guard let last else { throw try fault(at: start) }
    if last > tail.count { throw truncationFault(of: start + Int64(last)) }
    let rest = tail[last...]
    let isCut = rest.prefix(4).elementsEqual("OggS".utf8.prefix(rest.count))
    throw isCut ? truncationFault(of: nil) : try fault(at: start + Int64(last))
  }

  private func page(in tail: [UInt8], from start: Int) -> Int? {
    guard start + 4 <= tail.count else { return nil }
    return (start...tail.count - 4).first { tail[$0...].starts(with: "OggS".utf8) }
  }

  /// Returns the offset of the first byte after a page; nil if there is none or its header is
  /// truncated.
  private func endOfPage(at page: Int, in tail: [UInt8]) -> Int? {
    let head = 27
    guard page + head <= tail.count, tail[page...].starts(with: "OggS".utf8) else { return nil }
    let segments = Int(tail[page + head - 1])
    let body = page + head + segments
    guard body <= tail.count else { return nil }
    return tail[body - segments..<body].reduce(body) { $0 + Int($1) }
  }

  /// Checks an MPEG transport stream (ISO 13818-1): packets of equal length, each beginning with a
  /// sync byte.
  ///
  /// The stream is checked at its start, at its end, and at positions between. A stream that
  /// resumes nearby, as where pieces were joined, is accepted. So packets may be missing, which
  /// only a digest detects. An incomplete last packet means truncation.
  ///
  /// - Throws: `WalkError.unsupported` if the file does not begin with packets.
  func walkPackets() throws(WalkError) {
    let front = try piece(at: 0, count: window)
    // The packet lengths with the number of bytes before the sync byte: plain, with timestamps,
    // with parity.
    let form = [(length: 188, lead: 0), (192, 4), (204, 0)].first { form in
      front.count > form.lead + form.length
        && stride(from: form.lead, to: front.count, by: form.length).prefix(run)
          .allSatisfy { front[$0] == sync }
    }
    guard let form else { throw .unsupported }
    let step = max(Int64(window), size / 32)
    for offset in stride(from: 0, to: size - Int64(window), by: Int64.Stride(step)) {
      let piece = try piece(at: offset, count: window)
      if packet(in: piece, from: 0, form.length) == nil { throw try fault(at: offset) }
    }
    try checkLastPackets(form.length, form.lead)
  }

  /// Returns the index of the first sync byte that sync bytes of further packets follow.
  private func packet(in piece: [UInt8], from start: Int, _ length: Int) -> Int? {
    let end = piece.count - length * run
    guard start < end else { return nil }
    return (start..<end).first { start in
      (0..<run).allSatisfy { piece[start + $0 * length] == sync }
    }
  }

  /// Checks that the last unbroken run of packets extends to the end of the file.
  private func checkLastPackets(_ length: Int, _ lead: Int) throws(WalkError) {
    let start = max(0, size - Int64(window))
    let piece = try piece(at: start, count: window)
    // The start of the next packet, relative to the end of the file. A file of a few packets was
    // checked completely at its start.
    var next = piece.count > length * run ? nil : -(piece.count % length)
    var position = 0
    while next == nil, let found = packet(in: piece, from: position, length) {
      position = found
      while position < piece.count, piece[position] == sync { position += length }
      if position >= piece.count { next = position - lead - piece.count }
    }
    guard let next else { throw try fault(at: start + Int64(max(0, position - lead))) }
    if next != 0 { throw truncationFault(of: size + Int64(next > 0 ? next : length + next)) }
  }
}

private let sync: UInt8 = 0x47
/// The number of bytes that are inspected at each position of a stream.
private let window = 64 << 10
/// The number of packets in a row that count as a stream.
private let run = 5
