import Testing
import VmxModel

@testable import VmxTransfer

/// Redirects, and what goes along with them.
@Suite struct RedirectTests {
  @Test func `credentials go to their origin`() throws {
    let origin = try TestOrigin("/a.mp4 auth:user:pass")
    let bytes = try origin.serve("a.mp4", 10_000)
    var job = try origin.job("a.mp4")
    job.sources[0].user = "user"
    job.sources[0].password = "pass"
    try fetch(job)
    #expect(try origin.partial() == bytes)
  }

  @Test func `credentials stay with their origin`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:http://@SECOND@/b.mp4")
    try origin.serve("b.mp4", 10_000)
    var job = try origin.job("a.mp4")
    job.sources[0].user = "user"
    job.sources[0].password = "pass"
    try fetch(job)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits.filter(\.hasAuthorization).map(\.path) == ["/a.mp4"])
  }

  @Test func `a URL that dies behind a redirect is asked for again at its origin`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 status:403 times 1")
    let bytes = try origin.serve("b.mp4", 10_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    let paths = try origin.hits(atLeast: 4).map(\.path).sorted()
    #expect(paths == ["/a.mp4", "/a.mp4", "/b.mp4", "/b.mp4"])
  }

  @Test func `a URL that stays dead behind a redirect is asked for once more only`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 status:410")
    #expect(try failure(origin.job("a.mp4")) == .httpGone)
    #expect(try origin.hits(atLeast: 4).count == 4)
  }

  @Test func `a resumed fetch asks at the first URL and ends at the same place`() throws {
    let origin = try TestOrigin("/a.mp4 redirect:302:/b.mp4", "/b.mp4 cut:600000 times 1")
    let bytes = try origin.serve("b.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 4).last?.range != nil)
  }

  @Test func `a signed URL may die again once bytes have come`() throws {
    // Each second use of the redirect's target is refused, the rest breaks off.
    let origin = try TestOrigin(
      "/a.mp4 redirect:302:/b.mp4", "/b.mp4 cut:300000 times 5",
      "/b.mp4 status:403 after 1 times 1", "/b.mp4 status:403 after 3 times 1")
    let bytes = try origin.serve("b.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }
}
