import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

@Suite struct WholeDigestTests {
  private let scratch: ScratchFolder
  private let large = Noise.bytes(2 * Int(SegmentMap.size) + 12_345)

  init() throws { scratch = try ScratchFolder() }

  /// Writes pieces of some bytes and passes each to the digest, as a partial file does.
  private func digest(
    _ bytes: [UInt8], in pieces: [Range<Int>], dropping: Int64? = nil
  ) throws -> Digest {
    let file = try OpenFile(scratch.path("a"), .readWrite, options: .create)
    var digest = RunningDigest(of: scratch.path("a"))
    var held = ByteRangeSet()
    for piece in pieces {
      try file.write(Array(bytes[piece]), at: Int64(piece.lowerBound))
      held.insert(ByteRange(Int64(piece.lowerBound)..<Int64(piece.upperBound)))
      let first = held.ranges.first
      let prefix = first?.start == 0 ? first?.end ?? 0 : 0
      bytes[piece].withUnsafeBytes {
        digest.didWrite($0, at: Int64(piece.lowerBound), prefix: prefix)
      }
    }
    if let dropping {
      digest.discard(from: dropping)
      try file.write([0], at: dropping)
    }
    return try #require(
      try digest.finish(reading: file.descriptor, at: Int64(bytes.count)) { false })
  }

  @Test(arguments: [1, 1000, Int(SegmentMap.size), Int(SegmentMap.size) + 1, 9_000_000])
  func `bytes in order yield the digest of the file, whatever its size`(count: Int) throws {
    let bytes = Noise.bytes(count)
    let pieces = stride(from: 0, to: count, by: 65_536).map { $0..<min(count, $0 + 65_536) }
    #expect(try digest(bytes, in: pieces) == sha256(bytes))
  }

  @Test func `bytes out of order yield it too`() throws {
    let middle = large.count / 2
    #expect(try digest(large, in: [middle..<large.count, 0..<middle]) == sha256(large))
  }

  @Test func `bytes changed after their digest are digested again`() throws {
    var changed = large
    changed[77] = 0
    #expect(try digest(large, in: [0..<large.count], dropping: 77) == sha256(changed))
  }

  @Test func `a file shorter than announced is an error and has no digest`() throws {
    let file = try OpenFile(scratch.path("a"), .readWrite, options: .create)
    var digest = RunningDigest(of: scratch.path("a"))
    do {
      _ = try digest.finish(reading: file.descriptor, at: 2 * SegmentMap.size) { false }
      Issue.record("a digest of nothing")
    } catch {
      #expect(Failure(error).code == .partLost)
    }
  }
}
