import VmxModel

/// MPEG transport streams (ISO 13818-1): packets of one length that begin with one byte.
///
/// The stream is looked at in front, at the end, and at places between. One that is found again
/// nearby, as where pieces were joined, is let pass; so packets may be missing, which nothing but
/// a digest tells. A last packet that is not whole is a cut.
struct PacketWalk {
  private static let sync: UInt8 = 0x47
  /// Bytes of a packet, and those before its sync byte: plain, with time stamps, with parity.
  private static let forms: [(length: Int, lead: Int)] = [(188, 0), (192, 4), (204, 0)]
  private static let looks: Int64 = 32
  private static let window = 64 << 10
  private static let run = 5

  private let bytes: MediaBytes
  private let length: Int
  private let lead: Int

  /// - Throws: `WalkEnd.noContainer` where no packets begin the file.
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

  /// What is wrong with the file; nil where it is sound.
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

  /// The first sync byte that those of other packets follow.
  private func packet(in piece: [UInt8], from start: Int) -> Int? {
    let end = piece.count - length * Self.run
    guard start < end else { return nil }
    return (start..<end).first { start in
      (0..<Self.run).allSatisfy { piece[start + $0 * length] == Self.sync }
    }
  }

  /// The last unbroken run of packets must lead to the end of the file.
  private func faultAtEnd() throws(WalkEnd) -> StructureFault? {
    let start = max(0, bytes.size - Int64(Self.window))
    let piece = try bytes.piece(at: start, count: Self.window)
    // A file of a few packets was seen whole in front.
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

  /// - Parameter next: where the next packet would begin, counted from the end of the file.
  private func cut(next: Int) -> StructureFault? {
    switch next {
    case 0: nil
    case 1...: bytes.cut(of: bytes.size + Int64(next))
    default: bytes.cut(of: bytes.size + Int64(length + next))
    }
  }
}
