import Testing
import VmxModel

@testable import VmxTransfer

/// Ranges whose own digest is declared by `Content-Digest`.
@Suite struct ContentDigestTests {
  @Test func `a range with the declared digest is accepted`() throws {
    let origin = try TestOrigin("/a.mp4 content-digest", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    #expect(try fetch(origin.job("a.mp4")).requests == 2)
    #expect(try origin.partial() == bytes)
  }

  @Test func `a range with another digest is fetched again`() throws {
    let origin = try TestOrigin(
      "/a.mp4 content-digest:wrong on range times 1", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    #expect(try fetch(origin.job("a.mp4")).requests == 3)
    #expect(try origin.partial() == bytes)
    let ranges = try origin.hits(atLeast: 3).compactMap(\.range)
    #expect(ranges.count == 2)
  }

  @Test func `ranges that never have their digest are replaced by the whole`() throws {
    let origin = try TestOrigin(
      "/a.mp4 content-digest:wrong on range", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 4).filter { $0.range == nil }.count == 2)
  }
}
