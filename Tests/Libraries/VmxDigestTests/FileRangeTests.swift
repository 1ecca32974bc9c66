import SystemPackage
import Testing
import VmxDigest
import VmxModel
import VmxTestSupport

struct FileRangeTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func bytes(_ length: Int, _ salt: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: ($0 &+ salt) &* 2_654_435_761 >> 13) }
  }

  /// Returns the digests of files of these lengths, each for this many requested bytes, and those
  /// of libcrypto.
  private func digests(
    _ lengths: [Int], asked: [Int]? = nil
  ) throws -> (found: [FileRange.Outcome], expected: [Digest]) {
    var open: [FileDescriptor] = []
    defer { for descriptor in open { _ = try? descriptor.close() } }
    var expected: [Digest] = []
    for (index, length) in lengths.enumerated() {
      let text = bytes(length, index)
      try scratch.write("\(index)", text)
      expected.append(DigestHasher.sha256(of: text))
      open.append(try FileDescriptor.open(scratch.path("\(index)"), .readOnly))
    }
    let files = zip(open, asked ?? lengths).map {
      FileRange($0.rawValue, length: Int64($1))
    }
    var room = [UInt8](repeating: 7, count: FileRange.bufferSize)
    let found = room.withUnsafeMutableBytes { FileRange.digests(of: files, through: $0) }
    return (found, expected)
  }

  @Test(arguments: [
    [100], [70_000, 70_000], [65_536, 65_536, 65_536],
    [0, 1, 55, 56, 63, 64, 65, 128], [200_000, 300_001, 40_000, 262_144],
    [300_000, 300_000, 300_000, 300_000, 300_000, 300_000, 300_000, 300_000],
    [32_768, 32_767, 98_304, 65_537, 131_072, 500_000, 262_144],
    [2_000_000, 100, 100, 100, 100, 100, 100, 100], [0, 0, 0, 0, 0, 0, 0, 0],
  ])
  func `files in a batch have the same digests as separately, whatever their length`(
    _ lengths: [Int]
  ) throws {
    let (found, expected) = try digests(lengths)
    #expect(try found.map { try $0.get() } == expected)
  }

  @Test(arguments: [1, 4])
  func `a file that is too short is a separate error`(count: Int) throws {
    let lengths = [Int](repeating: 100_000, count: count)
    let asked = [Int](repeating: 100_000, count: count - 1) + [100_001]
    let (found, expected) = try digests(lengths, asked: asked)
    #expect(try found.dropLast().map { try $0.get() } == expected.dropLast())
    #expect(found.last == .failure(.tooShort(expected: 100_001, found: 100_000)))
  }

  @Test func `a file that ends within a batch is a separate error`() throws {
    let asked = [100_000, 100_000, 100_000, 100_000]
    let (found, expected) = try digests([100_000, 1000, 100_000, 100_000], asked: asked)
    #expect(found[1] == .failure(.tooShort(expected: 100_000, found: 1000)))
    for index in [0, 2, 3] { #expect(found[index] == .success(expected[index])) }
  }
}
