import Testing
import VmxDigest
import VmxModel

@Suite(.enabled(if: MultiBufferSHA256.isWorthwhile, "this processor has a better way"))
struct MultiBufferSHA256Tests {
  /// Eight texts of that length, one behind another, none like another.
  private func texts(_ length: Int, _ salt: Int = 0) -> [UInt8] {
    (0..<8 * length).map { UInt8(truncatingIfNeeded: ($0 &+ salt) &* 2_654_435_761 >> 13) }
  }

  private func one(_ bytes: some Collection<UInt8>) -> Digest {
    var hasher = SHA256Hasher()
    hasher.update(Array(bytes))
    return hasher.finish()
  }

  @Test(arguments: [64, 128, 4096, 65_536])
  func `each text has the digest that it has alone`(_ length: Int) {
    let bytes = texts(length)
    var lanes = MultiBufferSHA256()
    bytes.withUnsafeBytes { lanes.update($0) }
    let expected = (0..<8).map { one(bytes[$0 * length..<($0 + 1) * length]) }
    #expect(lanes.finish() == expected)
  }

  @Test func `texts may come in pieces, and others after them`() {
    let pieces = (0..<3).map { texts(256, $0) }
    var lanes = MultiBufferSHA256()
    for round in 0..<2 {
      for piece in pieces { piece.withUnsafeBytes { lanes.update($0) } }
      let expected = (0..<8).map { lane in
        one(pieces.flatMap { $0[lane * 256..<(lane + 1) * 256] })
      }
      #expect(lanes.finish() == expected, "round \(round)")
    }
  }

  @Test func `nothing at all has the digest of nothing`() {
    var lanes = MultiBufferSHA256()
    #expect(lanes.finish() == [Digest](repeating: one([]), count: 8))
  }
}
