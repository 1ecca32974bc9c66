import Testing
import VmxModel

@testable import VmxMigrating

/// Control files, created according to the technical notes of aria2.
enum Control {
  static func number(_ value: UInt64, _ count: Int, isLittle: Bool = false) -> [UInt8] {
    let bytes = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? bytes.reversed() : bytes
  }

  /// - Parameter inFlight: the indices of incomplete pieces, of which the first block has arrived.
  static func bytes(
    version: UInt64 = 1, hash: [UInt8] = [], piece: UInt64, total: UInt64, bits: [UInt8],
    inFlight: [UInt64] = []
  ) -> [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      Self.number(value, count, isLittle: version == 0)
    }
    var bytes = number(version, 2) + number(hash.isEmpty ? 0 : 1, 4)
    bytes += number(UInt64(hash.count), 4) + hash
    bytes += number(piece, 4) + number(total, 8) + number(0, 8)
    bytes += number(UInt64(bits.count), 4) + bits + number(UInt64(inFlight.count), 4)
    for index in inFlight {
      bytes += number(index, 4) + number(piece, 4) + number(1, 4) + [0x80]
    }
    return bytes
  }
}

@Suite struct Aria2ControlTests {
  @Test(arguments: [0, 1] as [UInt64])
  func `complete pieces are held, with the holes between them`(version: UInt64) throws {
    // Ten pieces, the last of 50 bytes: pieces 0, 1, 4 and 9 are complete.
    let control = try Aria2Control(
      Control.bytes(
        version: version, piece: 100, total: 950, bits: [0b1100_1000, 0b0100_0000]))
    #expect(control.total == 950)
    #expect(
      control.completedRanges.ranges == [
        ByteRange(0..<200), ByteRange(400..<500), ByteRange(900..<950),
      ])
    #expect(!control.isComplete && !control.isTorrent)
  }

  @Test func `of a piece in flight the complete blocks are held`() throws {
    // Two pieces of 1 MiB, with blocks of 16 KiB.
    let block: Int64 = 16_384
    var bytes = Control.bytes(piece: 1 << 20, total: 2 << 20, bits: [0])
    bytes[bytes.count - 1] = 1
    bytes += Control.number(1, 4) + Control.number(1 << 20, 4) + Control.number(8, 4)
    bytes += [0b1100_0000, 0, 0, 0, 0, 0, 0, 0b0000_0001]
    #expect(
      try Aria2Control(bytes).completedRanges.ranges == [
        ByteRange(64 * block..<66 * block), ByteRange(127 * block..<128 * block),
      ])
  }

  @Test func `all pieces are the whole`() throws {
    let control = try Aria2Control(Control.bytes(piece: 100, total: 300, bits: [0b1110_0000]))
    #expect(control.isComplete)
  }

  @Test func `an info hash is that of a torrent`() throws {
    let hash = [UInt8](repeating: 7, count: 20)
    #expect(try Aria2Control(Control.bytes(hash: hash, piece: 9, total: 9, bits: [0])).isTorrent)
  }

  @Test(arguments: [
    Control.bytes(version: 2, piece: 100, total: 300, bits: [0]),
    Control.bytes(piece: 0, total: 300, bits: [0]), Control.bytes(piece: 100, total: 0, bits: []),
    // One byte too few or too many, a bit after the last piece, a nonexistent piece.
    Control.bytes(piece: 100, total: 900, bits: [0]),
    Control.bytes(piece: 100, total: 300, bits: [0, 0]),
    Control.bytes(piece: 100, total: 300, bits: [0b0001_0000]),
    Control.bytes(piece: 100, total: 300, bits: [0], inFlight: [3]),
    Control.bytes(piece: 100, total: .max, bits: [0]),
    Control.bytes(piece: 1, total: 1 << 60, bits: [0]),
    Control.bytes(piece: 100, total: 300, bits: [0]) + [0], [],
  ])
  func `fields that contradict each other are refused`(_ bytes: [UInt8]) {
    #expect(throws: Failure.self) { try Aria2Control(bytes) }
  }

  @Test func `a cut file is refused wherever it is cut`() {
    let bytes = Control.bytes(
      piece: 100, total: 950, bits: [0b1100_1000, 0b0100_0000], inFlight: [2, 3])
    for count in 0..<bytes.count {
      #expect(throws: Failure.self) { try Aria2Control(Array(bytes[..<count])) }
    }
  }

  @Test func `flipped bytes hold nothing outside of the file`() throws {
    let bytes = Control.bytes(
      piece: 100, total: 950, bits: [0b1100_1000, 0b0100_0000], inFlight: [2, 3])
    for index in bytes.indices {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var flipped = bytes
        flipped[index] ^= mask
        guard let control = try? Aria2Control(flipped) else { continue }
        let isWithin = control.completedRanges.ranges.allSatisfy {
          $0.start >= 0 && $0.end <= control.total
        }
        #expect(isWithin)
      }
    }
  }
}

@Suite struct Aria2SessionTests {
  @Test func `a download has mirrors, and options in the lines below`() throws {
    let text = """
      # written by aria2
      https://a.example/x.mp4\thttps://b.example/x.mp4\t
       gid=1
       dir=/home/me
       out=sub/film.mp4
      https://a.example/d/y%20z.mkv?k=1
      \tpause=true
      magnet:?xt=urn:btih:1
      not an address
      """
    let session = try #require(Aria2Session(Array(text.utf8)))
    #expect(session.entries.map(\.fileName) == ["film.mp4", "y z.mkv"])
    #expect(session.entries.map(\.line) == [2, 6])
    #expect(
      session.entries.first?.urls.map(\.text)
        == ["https://a.example/x.mp4", "https://b.example/x.mp4"])
    #expect(session.failures.map(\.line) == [8, 9])
  }

  @Test(arguments: [
    "", "a note", " gid=1", "# only a comment\n", "{\"url\":1}", "https://a.org/x.mp4\n",
  ])
  func `another file is no session`(text: String) {
    #expect(Aria2Session(Array(text.utf8)) == nil)
    #expect(Aria2Session([0xFF, 0xFE]) == nil)
  }
}
