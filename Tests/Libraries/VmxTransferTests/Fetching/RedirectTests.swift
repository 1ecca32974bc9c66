import Testing
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// Redirects, and the data that is sent along with them.
@Suite struct RedirectTests {
  @Test func `credentials are sent to their origin`() throws {
    let origin = try TestOrigin("/a.mp4 auth:user:pass")
    let bytes = try origin.serve("a.mp4", 10_000)
    var job = try origin.job("a.mp4")
    job.sources[0].user = "user"
    job.sources[0].password = "pass"
    try fetch(job)
    #expect(try origin.partial() == bytes)
  }

  @Test func `credentials are sent to no other origin`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:http://@SECOND@/b.mp4")
    try origin.serve("b.mp4", 10_000)
    var job = try origin.job("a.mp4")
    job.sources[0].user = "user"
    job.sources[0].password = "pass"
    try fetch(job)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits.filter(\.hasAuthorization).map(\.path) == ["/a.mp4"])
  }

  @Test func `a URL that expires after a redirect is requested again from its origin`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 status:403 times 1")
    let bytes = try origin.serve("b.mp4", 10_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    let paths = try origin.hits(atLeast: 4).map(\.path).sorted()
    #expect(paths == ["/a.mp4", "/a.mp4", "/b.mp4", "/b.mp4"])
  }

  @Test func `a URL that stays expired after a redirect is requested only once more`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 status:410")
    #expect(try failure(origin.job("a.mp4")) == .httpGone)
    #expect(try origin.hits(atLeast: 4).count == 4)
  }

  @Test func `a resumed fetch requests the first URL and ends at the same target`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 cut:600000 times 1")
    let bytes = try origin.serve("b.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 4).last?.range != nil)
  }

  @Test func `a signed URL may expire again once bytes were received`() throws {
    // Every second use of the redirect's target is refused; the others are cut.
    let origin = try TestOrigin(
      "/a.mp4 redirect:302:/b.mp4", "/b.mp4 cut:300000 times 5",
      "/b.mp4 status:403 after 1 times 1", "/b.mp4 status:403 after 3 times 1")
    let bytes = try origin.serve("b.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [
    "pass=1", "pass=1;Path=/", "pass=1;Max-Age=60", "pass=1;HttpOnly", "pass=1;SameSite=Strict",
  ])
  func `a cookie of a redirect to the same URL is sent back`(_ cookie: String) throws {
    let origin = try TestOrigin("/a.mp4 cookie:\(cookie)", "/a.mp4 cut:600000 after 1 times 1")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    // The cookie is forgotten with its chain: the next attempt begins without it.
    let hits = try origin.hits(atLeast: 4)
    #expect(hits.count == 4)
    #expect(hits.allSatisfy { $0.hasCookie == ($0.status != 302) })
  }

  @Test(arguments: [
    "pass=1;Path=/other", "pass=1;Max-Age=0", "pass=1;Domain=x.org",
  ])
  func `a cookie for another URL is not sent, up to the limit of redirects`(
    _ cookie: String
  ) throws {
    let origin = try TestOrigin("/a.mp4 cookie:\(cookie)")
    #expect(try failure(origin.job("a.mp4")) == .redirectLoop)
    let hits = try origin.hits(atLeast: 11)
    #expect(hits.count == 11)
    #expect(hits.allSatisfy { !$0.hasCookie })
  }

  @Test func `a cookie is sent back to its origin, and to no other of the chain`() throws {
    let origin = try TestOrigin(
      "/a.mp4 redirect:302:http://@SECOND@/b.mp4 header:Set-Cookie=pass=1;Path=/",
      "/b.mp4 redirect:302:http://@FIRST@/c.mp4 header:Set-Cookie=other=1;Path=/")
    try origin.serve("c.mp4", 1000)
    try fetch(origin.job("a.mp4"))
    let hits = try origin.hits(atLeast: 3)
    #expect(Set(hits.map(\.path)) == ["/a.mp4", "/b.mp4", "/c.mp4"])
    #expect(hits.filter(\.hasCookie).map(\.path) == ["/c.mp4"])
  }

  @Test func `an episode does not send cookies of another one`() throws {
    let origin = try TestOrigin("/a.mp4 cookie:pass=1;Path=/")
    try origin.serve("a.mp4", 1000)
    try origin.serve("b.mp4", 1000)
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    for name in ["a.mp4", "b.mp4"] {
      _ = try engine.fetch(origin.job(name), observer: TestObserver())
    }
    #expect(try origin.hits(atLeast: 3).filter(\.hasCookie).map(\.path) == ["/a.mp4"])
  }
}
