import VmxModel

/// MPEG transport streams (ISO 13818-1): packets of equal length, each beginning with a sync byte.
///
/// The stream is checked at its start, at its end, and at positions between. A stream that resumes
/// nearby, as where pieces were joined, is accepted. So packets may be missing, which only a digest
/// detects. An incomplete last packet means truncation.
struct PacketWalk {
  private static let sync: UInt8 = 0x47
  /// The packet lengths with the number of bytes before the sync byte: plain, with timestamps, with
  /// parity.
  private static let forms: [(length: Int, lead: Int)] = [(188, 0), (192, 4), (204, 0)]
  private static let looks: Int64 = 32
  private static let window = 64 << 10
  private static let run = 5

  private let bytes: MediaBytes
  private let length: Int
  private let lead: Int

  /// - Throws: `WalkEnd.noContainer` if the file does not begin with packets.
  init(_ bytes: MediaBytes) throws(WalkEnd) {
    let front = try bytes.piece(at: 0, count: Self.window)
    let form = Self.forms.first { form in
      front.count > form.lead + form.length
        && stride(from: form.lead, to: front.count, by: form.length).prefix(Self.run)
          .allSatisfy { front[$0] == Self.sync }
    }
    guard let form else { throw .noContainer }
    self.bytes = bytes
    (length, lead) = form
  }

  /// Returns the structural fault of the file; nil if it is sound.
  func fault() throws(WalkEnd) -> StructureFault? {
    let step = max(Int64(Self.window), bytes.size / Self.looks)
    var offset: Int64 = 0
    while offset + Int64(Self.window) < bytes.size {
      let piece = try bytes.piece(at: offset, count: Self.window)
      if packet(in: piece, from: 0) == nil { return try bytes.fault(at: offset) }
      offset += step
    }
    return try faultAtEnd()
  }

  /// Returns the index of the first sync byte that sync bytes of further packets follow.
  private func packet(in piece: [UInt8], from start: Int) -> Int? {
    let end = piece.count - length * Self.run
    guard start < end else { return nil }
    return (start..<end).first { start in
      (0..<Self.run).allSatisfy { piece[start + $0 * length] == Self.sync }
    }
  }

  /// Checks that the last unbroken run of packets extends to the end of the file.
  private func faultAtEnd() throws(WalkEnd) -> StructureFault? {
    let start = max(0, bytes.size - Int64(Self.window))
    let piece = try bytes.piece(at: start, count: Self.window)
    // A file of a few packets was checked completely at its start.
    guard piece.count > length * Self.run else {
      return cut(next: -(piece.count % length))
    }
    var place = 0
    while let found = packet(in: piece, from: place) {
      place = found
      while place < piece.count, piece[place] == Self.sync { place += length }
      if place >= piece.count { return cut(next: place - lead - piece.count) }
    }
    return try bytes.fault(at: start + Int64(max(0, place - lead)))
  }

  /// - Parameter next: start of the next packet, relative to the end of the file.
  private func cut(next: Int) -> StructureFault? {
    switch next {
    case 0: nil
    case 1...: bytes.cut(of: bytes.size + Int64(next))
    default: bytes.cut(of: bytes.size + Int64(length + next))
    }
  }
}
