import Testing
import VmxDigest
import VmxModel

@testable import VmxTransfer

func sha256(_ bytes: [UInt8]) -> Digest {
  var hasher = SHA256Hasher()
  hasher.update(bytes)
  return hasher.finish()
}

@Suite struct WholeFetchTests {
  @Test func `a file is complete with the digests of its segments`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 9_000_001)
    let result = try fetch(origin.job("a.mp4"))
    let size = 4 << 20
    let segments = [0, 1, 2].map {
      sha256(Array(bytes[$0 * size..<min(bytes.count, ($0 + 1) * size)]))
    }
    #expect(try origin.partial() == bytes)
    var found = result.found
    #expect(found.file != nil)
    found.file = nil
    #expect(
      found
        == FoundBytes(
          size: ByteCount(clamping: 9_000_001), sha256: sha256(bytes), proof: .length,
          segments: segments, source: origin.url("a.mp4"), version: result.version))
    #expect(result.requests == 1)
    // A later request for a part of the file uses this validator.
    #expect(result.version?.etag?.hasPrefix("\"") == true)
    #expect(result.version?.source == StableHash.of(try origin.job("a.mp4").sources[0].url))
  }

  @Test func `a file that is cut repeatedly is completed in the end`() throws {
    let origin = try TestOrigin("/a.mp4 cut:300000 times 7")
    let bytes = try origin.serve("a.mp4", 3_000_000)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.requests == 8)
  }
}
