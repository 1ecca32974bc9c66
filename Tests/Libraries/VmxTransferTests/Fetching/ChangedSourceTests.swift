import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Sources that change, or may change, between two responses: a file never mixes two versions.
@Suite struct ChangedSourceTests {
  private func changing(_ rules: String...) throws -> (TestOrigin, old: [UInt8], new: [UInt8]) {
    let origin = try TestOrigin(["/a.mp4 cut:1000000 times 1", "/a.mp4 swap after 1"] + rules)
    let old = try origin.serve("a.mp4", 2_000_000, seed: 1)
    let new = try origin.serve("a.mp4@2", 2_000_000, seed: 2)
    return (origin, old, new)
  }

  @Test(arguments: [
    "/a.mp4 header:X=Y", "/a.mp4 etag-weak", "/a.mp4 etag-none", "/a.mp4 no-validators",
    "/a.mp4 if-range-ignored", "/a.mp4 etag-none modified-now", "/a.mp4 etag-none no-date",
    "/a.mp4 chunked", "/a.mp4 no-validators chunked", "/a.mp4 etag:\"same\"",
    "/a.mp4 etag:\"\"", "/a.mp4 etag-none modified:1600000000",
  ])
  func `a changed source yields only its new bytes`(_ rule: String) throws {
    let (origin, old, new) = try changing(rule)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
    #expect(result.sha256 == sha256(new))
    #expect(origin.scratch.exists("partial/a.part.aside") == false)
    #expect(old != new)
  }

  @Test func `the old part is kept aside until the new one is complete`() throws {
    let (origin, old, _) = try changing("/a.mp4 status:404 after 2", "/a.mp4 cut:500000 after 1")
    #expect(try failure(origin.job("a.mp4")) == .httpGone)
    let aside = try origin.scratch.bytes("partial/a.part.aside")
    #expect(aside == Array(old[..<aside.count]))
    #expect(aside.count > 500_000)
  }

  @Test func `a source that changes each time is given up`() throws {
    let origin = try TestOrigin("/a.mp4 alternate cut:1000000")
    try origin.serve("a.mp4", 2_000_000, seed: 1)
    try origin.serve("a.mp4@2", 2_000_000, seed: 2)
    #expect(try failure(origin.job("a.mp4")) == .sourceChanged)
    #expect(try origin.hits().count < 12)
  }

  @Test(arguments: ["etag-rotate", "etag-rotate:2", "etag-rotate:3"])
  func `validators that change with every cut response do not restart forever`(
    _ way: String
  ) throws {
    let origin = try TestOrigin("/a.mp4 \(way) cut:300000")
    let bytes = try origin.serve("a.mp4", 1_500_000)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
    #expect(result.requests < 40)
  }

  @Test func `bytes joined under another validator are verified only by a probe`() throws {
    let origin = try TestOrigin("/a.mp4 etag-rotate cut:300000")
    try origin.serve("a.mp4", 1_000_000)
    #expect(try fetch(origin.job("a.mp4")).proof == .probe)
  }

  @Test(arguments: [0, 200_000, 350_000, 500_000])
  func `a file replaced again and again never yields a mixture`(_ common: Int) throws {
    let origin = try TestOrigin("/a.mp4 alternate cut:400000")
    let old = try origin.serve("a.mp4", 1_200_000, seed: 1)
    let other = Noise.bytes(1_200_000, seed: 2)
    let new = Array(old[..<common] + other[common...])
    try origin.serve("a.mp4@2", new)
    if try failure(origin.job("a.mp4")) == nil {
      let bytes = try origin.partial()
      #expect(bytes == old || bytes == new)
    }
  }

  @Test func `without a strong validator both ends of the held bytes are compared`() throws {
    let origin = try TestOrigin("/a.mp4 etag-weak", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    let result = try fetch(origin.job("a.mp4"))
    let ranges = try origin.hits(atLeast: 3).map(\.range)
    #expect(result.proof == .probe)
    #expect(try origin.partial() == bytes)
    #expect(ranges[1] == "bytes=0-65535")
    #expect(ranges[2]?.hasSuffix("-") == true)
  }

  @Test func `runs of one byte are no evidence`() throws {
    let origin = try TestOrigin(
      "/a.mp4 no-validators", "/a.mp4 cut:1000000 times 1", "/a.mp4 swap after 1")
    // Both versions consist of zeros; they differ only between 600,000 and 700,000.
    var old = [UInt8](repeating: 0, count: 2_000_000)
    var new = old
    old.replaceSubrange(600_000..<700_000, with: Noise.bytes(100_000, seed: 1))
    new.replaceSubrange(600_000..<700_000, with: Noise.bytes(100_000, seed: 2))
    try origin.serve("a.mp4", old)
    try origin.serve("a.mp4@2", new)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
  }

  @Test func `another server's validator has no meaning`() throws {
    let origin = try TestOrigin(
      "/a.mp4 etag:\"x\" cut:1000000", "/a.mp4 status:404 after 1", "/b.mp4 etag:\"x\"")
    try origin.serve("a.mp4", 2_000_000, seed: 1)
    let other = try origin.serve("b.mp4", 2_000_000, seed: 2)
    let result = try fetch(origin.job("a.mp4", "b.mp4"))
    #expect(try origin.partial() == other)
    #expect(result.sourceIndex == 1)
  }

  @Test func `a mirror with the same bytes continues them`() throws {
    let origin = try TestOrigin(
      "/a.mp4 cut:1000000", "/a.mp4 status:404 after 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    try origin.serve("b.mp4", 2_000_000)
    let result = try fetch(origin.job("a.mp4", "b.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.proof == .probe)
    #expect(try origin.hits().allSatisfy { $0.sent < 1_700_000 })
  }

  @Test func `the next run begins with the source of the held bytes`() throws {
    let origin = try TestOrigin("/a.mp4 status:404", "/b.mp4 stall:1000000 times 1")
    let bytes = try origin.serve("b.mp4", 2_000_000)
    let job = try origin.job("a.mp4", "b.mp4")
    #expect(try failure(job, observer: TestObserver(stoppingAt: 500_000)) == .interrupted)
    let result = try fetch(job)
    #expect(try origin.partial() == bytes)
    #expect(result.sourceIndex == 1)
    // The origin logs a response when it ends, and a slow machine may open another connection.
    let paths = try origin.hits(atLeast: 3).map(\.path)
    #expect(paths.filter { $0 == "/a.mp4" }.count == 1)
    #expect(paths.allSatisfy { ["/a.mp4", "/b.mp4"].contains($0) })
  }
}
