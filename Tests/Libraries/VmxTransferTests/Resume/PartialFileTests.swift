import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

@Suite struct PartialFileTests {
  private let segment = Int(SegmentMap.size)

  @Test func `bytes written in any order yield the digests of the file`() throws {
    let scratch = try ScratchFolder()
    let bytes = Noise.bytes(2 * segment + 1000)
    var file = try PartialFile(scratch.path("a"))
    let cuts = [0, 1000, segment - 5, segment + 5, 2 * segment, bytes.count]
    for index in [1, 0, 3, 4, 2] {
      try file.write(bytes[cuts[index]..<cuts[index + 1]], at: Int64(cuts[index]))
    }
    let digests = try #require(try file.finish(length: Int64(bytes.count)) { false })
    #expect(digests.whole == sha256(bytes))
    #expect(
      digests.segments
        == stride(from: 0, to: bytes.count, by: segment).map {
          sha256(Array(bytes[$0..<min(bytes.count, $0 + segment)]))
        })
  }

  @Test func `bytes received alternately at several offsets yield the digests`() throws {
    let scratch = try ScratchFolder()
    let bytes = Noise.bytes(2 * segment)
    var file = try PartialFile(scratch.path("a"))
    let piece = segment / 64
    for step in 0..<64 {
      for place in [1, 0] {
        let start = place * segment + step * piece
        try file.write(bytes[start..<start + piece], at: Int64(start))
      }
    }
    try file.digestPending()
    #expect(file.segments[0] == sha256(Array(bytes[..<segment])))
    #expect(file.segments[1] == sha256(Array(bytes[segment...])))
    #expect(try file.finish(length: Int64(bytes.count)) { false }?.whole == sha256(bytes))
  }

  @Test func `bytes beyond the end of a file are cut off`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a", Noise.bytes(5000))
    var file = try PartialFile(scratch.path("a"))
    try file.write([1, 2, 3], at: 0)
    #expect(try file.finish(length: 3) { false }?.whole == sha256([1, 2, 3]))
    #expect(try scratch.bytes("a") == [1, 2, 3])
  }

  @Test func `bytes that are dropped and written again are digested again`() throws {
    let scratch = try ScratchFolder()
    let old = Noise.bytes(segment + 100, seed: 1)
    let new = Noise.bytes(segment + 100, seed: 2)
    var file = try PartialFile(scratch.path("a"))
    try file.write(old[...], at: 0)
    file.discard(from: 50)
    try file.write(new[50...], at: 50)
    let whole = Array(old[..<50] + new[50...])
    let digests = try #require(try file.finish(length: Int64(whole.count)) { false })
    #expect(digests.whole == sha256(whole))
    #expect(digests.segments[0] == sha256(Array(whole[..<segment])))
  }

  @Test(arguments: [1000, 5_000_000])
  func `a stopped transfer does not wait for the digest`(count: Int) throws {
    let scratch = try ScratchFolder()
    let bytes = Noise.bytes(count)
    var file = try PartialFile(scratch.path("a"))
    // Written from the end, so that nothing is hashed from memory.
    try file.write(bytes[(count / 2)...], at: Int64(count / 2))
    try file.write(bytes[..<(count / 2)], at: 0)
    // A digest that is ready when the transfer is stopped is returned; none is waited for.
    var questions = 0
    let digests = try file.finish(length: Int64(count)) {
      questions += 1
      return true
    }
    #expect(questions <= 1)
    #expect(digests == nil || digests?.whole == sha256(bytes))
    #expect(try file.digest(.sha512) { true } == nil)
  }
}
