import Glibc
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxDigest

@Suite struct InOrderCursorTests {
  static let bytes = patterned(3_000_000)
  static let whole: Digest = {
    var hasher = DigestHasher()
    hasher.update(bytes)
    return hasher.finish()
  }()

  let folder: ScratchFolder
  let descriptor: Int32

  init() throws {
    folder = try ScratchFolder()
    try folder.write("part", Self.bytes)
    descriptor = open("\(folder.path("part"))", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
  }

  private func piece(_ range: Range<Int>) -> [UInt8] { Array(Self.bytes[range]) }

  @Test func `bytes in order are digested without reading the file`() {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    for start in stride(from: 0, to: Self.bytes.count, by: 300_000) {
      let moved = cursor.offer(piece(start..<(start + 300_000)), at: Int64(start))
      #expect(moved)
    }
    #expect(cursor.offset == Int64(Self.bytes.count))
    #expect(cursor.finish() == Self.whole)
  }

  @Test func `bytes ahead are deferred and read back once the gap is closed`() throws {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    cursor.offer(piece(0..<1000), at: 0)
    let farMoved = cursor.offer(piece(2_000_000..<3_000_000), at: 2_000_000)
    #expect(!farMoved)
    let nearMoved = cursor.offer(piece(1001..<2_000_000), at: 1001)
    #expect(!nearMoved)
    #expect(cursor.offset == 1000)
    let gapMoved = cursor.offer(piece(1000..<1001), at: 1000)
    #expect(gapMoved)
    try cursor.catchUp(reading: descriptor, to: 3_000_000)
    #expect(cursor.finish() == Self.whole)
  }

  @Test func `bytes received twice are digested once`() {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    cursor.offer(piece(0..<2_000_000), at: 0)
    let repeatMoved = cursor.offer(piece(500_000..<600_000), at: 500_000)
    #expect(!repeatMoved)
    let overlapMoved = cursor.offer(piece(1_900_000..<3_000_000), at: 1_900_000)
    #expect(overlapMoved)
    #expect(cursor.finish() == Self.whole)
  }

  @Test func `a resumed cursor reads back the held bytes and continues from memory`() throws {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    try cursor.catchUp(reading: descriptor, to: 1_234_567)
    #expect(cursor.offset == 1_234_567)
    cursor.offer(piece(1_234_567..<3_000_000), at: 1_234_567)
    #expect(cursor.finish() == Self.whole)
  }

  @Test func `reading back never exceeds the held bytes`() throws {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    try cursor.catchUp(reading: descriptor, to: 10)
    try cursor.catchUp(reading: descriptor, to: 5)
    #expect(cursor.offset == 10)
  }

  @Test func `a file shorter than the held bytes is reported`() {
    defer { close(descriptor) }
    #expect(throws: DigestError.tooShort(expected: 3_000_001, found: 3_000_000)) {
      var cursor = InOrderCursor()
      try cursor.catchUp(reading: descriptor, to: 3_000_001)
    }
  }

  @Test func `an unreadable descriptor is reported`() {
    defer { close(descriptor) }
    #expect(throws: DigestError.unreadable(offset: 0, errno: EBADF)) {
      var cursor = InOrderCursor()
      try cursor.catchUp(reading: -1, to: 1)
    }
  }

  @Test func `reading back stops on request, and can continue`() throws {
    defer { close(descriptor) }
    var cursor = InOrderCursor()
    var asked = 0
    try cursor.catchUp(reading: descriptor, to: 3_000_000) {
      asked += 1
      return asked == 2
    }
    #expect(cursor.offset == 1 << 20)
    try cursor.catchUp(reading: descriptor, to: 3_000_000)
    #expect(cursor.finish() == Self.whole)
  }
}

extension InOrderCursor {
  /// Offers bytes in memory.
  @discardableResult
  fileprivate mutating func offer(_ bytes: [UInt8], at place: Int64) -> Bool {
    bytes.withUnsafeBytes { offer($0, at: place) }
  }
}
