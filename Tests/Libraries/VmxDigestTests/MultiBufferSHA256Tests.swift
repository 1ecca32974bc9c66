import Testing
import VmxModel

@testable import VmxDigest

struct MultiBufferSHA256Tests {
  /// The code paths that this processor can execute; the portable one is always included.
  static let paths = MultiBufferSHA256.Path.allCases.filter {
    $0.rawValue <= MultiBufferSHA256.Path.widest.rawValue
  }

  private struct Unreadable: Error, Equatable {}

  private static func text(_ length: Int, _ salt: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: ($0 &+ salt) &* 2_654_435_761 >> 13) }
  }

  /// Returns the digests of texts, some of which cannot be read beyond an offset.
  private func digests(
    _ texts: [[UInt8]], by path: MultiBufferSHA256.Path, bufferSize: Int = 8 * 1024,
    failing: [Int: Int64] = [:]
  ) -> [Result<Digest, Unreadable>] {
    var buffer = [UInt8](repeating: 7, count: bufferSize)
    return buffer.withUnsafeMutableBytes { buffer in
      MultiBufferSHA256.digests(of: texts.map { Int64($0.count) }, through: buffer, by: path) {
        text, room, offset throws(Unreadable) in
        if let end = failing[text], offset + Int64(room.count) > end { throw Unreadable() }
        room.copyBytes(from: texts[text][Int(offset)..<Int(offset) + room.count])
      }
    }
  }

  /// All lengths near the limits of a block and of the buffer's pieces of 1024 bytes.
  @Test(
    arguments: paths,
    [
      [0, 1, 54, 55, 56, 57, 63, 64], [64, 64, 64, 64, 64, 64, 64, 64],
      [119, 120, 127, 128, 1015, 1016, 1023, 1024], [1025, 2039, 2040, 2047, 2048, 5000, 3, 9999],
      [65_536], [], [4096, 1],
    ])
  func `each text has the digest that libcrypto gives it`(
    _ path: MultiBufferSHA256.Path, _ lengths: [Int]
  ) {
    let texts = lengths.enumerated().map { Self.text($1, $0) }
    let found = digests(texts, by: path)
    #expect(found == texts.map { .success(DigestHasher.sha256(of: $0)) })
  }

  @Test(arguments: paths, [512, 520, 1000, 64 * 1024])
  func `any buffer size gives the same digests`(
    _ path: MultiBufferSHA256.Path, _ bufferSize: Int
  ) {
    let texts = [100, 3000, 64, 0, 777, 4096, 2048, 1].enumerated().map { Self.text($1, $0) }
    let found = digests(texts, by: path, bufferSize: bufferSize)
    #expect(found == texts.map { .success(DigestHasher.sha256(of: $0)) })
  }

  @Test(arguments: paths)
  func `an unreadable text does not affect the others`(_ path: MultiBufferSHA256.Path) {
    let texts = (0..<8).map { Self.text(3000, $0) }
    let found = digests(texts, by: path, failing: [2: 0, 5: 1500])
    for (index, outcome) in found.enumerated() {
      let digest = DigestHasher.sha256(of: texts[index])
      #expect(outcome == ([2, 5].contains(index) ? .failure(Unreadable()) : .success(digest)))
    }
  }

  @Test func `batching starts at no fewer than two texts`() {
    #expect(MultiBufferSHA256.minCount >= 2)
    #expect(MultiBufferSHA256.isFaster == (MultiBufferSHA256.minCount <= 8))
  }
}
