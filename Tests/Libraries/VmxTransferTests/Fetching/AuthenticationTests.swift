import Testing
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// User and password, as plain text and as a digest.
@Suite struct AuthenticationTests {
  private func job(_ origin: TestOrigin, _ path: String = "a.mp4") throws -> TransferJob {
    var job = try origin.job(path)
    job.sources[0].user = "me"
    job.sources[0].password = "s3cret"
    return job
  }

  @Test func `a server with digest authentication never receives the password`() throws {
    let origin = try TestOrigin("/a.mp4 digest-auth:me:s3cret")
    let bytes = try origin.serve("a.mp4", 100_000)
    try fetch(job(origin))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 2).compactMap(\.scheme) == ["Digest"])
  }

  @Test func `a digest is renewed when the server requests it`() throws {
    let origin = try TestOrigin(
      "/a.mp4 digest-auth:me:s3cret:first times 1", "/a.mp4 digest-auth:me:s3cret:second after 1")
    let bytes = try origin.serve("a.mp4", 100_000)
    try fetch(job(origin))
    #expect(try origin.partial() == bytes)
  }

  @Test func `a truncated response is continued by a range, with a digest`() throws {
    let origin = try TestOrigin("/a.mp4 digest-auth:me:s3cret", "/a.mp4 cut:600000 after 1 times 1")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try fetch(job(origin))
    #expect(try origin.partial() == bytes)
    let hits = try origin.hits(atLeast: 4)
    #expect(hits.contains { $0.range?.hasPrefix("bytes=") == true })
    #expect(hits.allSatisfy { $0.scheme != "Basic" })
  }

  @Test func `several connections all use a digest`() throws {
    let origin = try TestOrigin("/a.mp4 digest-auth:me:s3cret rate:1500000")
    let bytes = try origin.serve("a.mp4", 1_200_000)
    var settings = quick
    settings.growth = ConnectionScaling.Limits(
      interval: 20, minRemainingTime: 0, minPiece: 128 << 10, minRange: 64 << 10, gain: -100)
    try fetch(job(origin), settings)
    #expect(try origin.partial() == bytes)
    let hits = try origin.hits(atLeast: 4)
    #expect(hits.count { $0.status == 206 } > 0)
    #expect(hits.allSatisfy { $0.scheme != "Basic" })
  }

  @Test func `a digest that is stale each time is refused after few requests`() throws {
    let origin = try TestOrigin("/a.mp4 digest-auth:me:s3cret:*")
    try origin.serve("a.mp4", 1000)
    #expect(try failure(job(origin)) == .httpDenied)
    #expect(try origin.hits(atLeast: 4).count == 4)
  }

  @Test(arguments: ["digest-auth:me:other", "auth:me:other", "status:401"])
  func `a wrong password is refused, once`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    #expect(try failure(job(origin)) == .httpDenied)
    #expect(try origin.hits(atLeast: 1).count <= 2)
  }

  @Test func `with basic authentication only the first request has no credentials`() throws {
    let origin = try TestOrigin("/* auth:me:s3cret")
    try origin.serve("a.mp4", 1000)
    try origin.serve("b.mp4", 1000)
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    for path in ["a.mp4", "b.mp4"] {
      _ = try engine.fetch(job(origin, path), observer: TestObserver())
    }
    let hits = try origin.hits(atLeast: 3)
    #expect(hits.count == 3)
    #expect(hits.filter { $0.scheme != "Basic" }.map(\.path) == ["/a.mp4"])
  }

  @Test(arguments: ["status:403", "status:404", "redirect:302:/login"])
  func `a server that hides a file without a challenge gets the password`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault) times 1", "/a.mp4 auth:me:s3cret after 1")
    let bytes = try origin.serve("a.mp4", 1000)
    try fetch(job(origin))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [
    (Authentication.basic, 401, "Digest realm=\"a\", nonce=\"b\"", true),
    (.basic, 401, "Digest realm=a, Basic realm=b", false), (.basic, 401, "Basic realm=a", false),
    (.basic, 403, "", false), (.digest, 401, "Digest realm=a", false),
    (.challenged, 200, "", false), (.challenged, 404, "", true), (.challenged, 416, "", false),
  ])
  func `a request is repeated only with other credentials`(
    _ scheme: Authentication, _ status: Int, _ field: String, _ isRepeated: Bool
  ) {
    let fields = [ResponseHead.Field(name: "www-authenticate", value: field)]
    let head = ResponseHead(version: "1.1", status: status, fields: fields)
    #expect(scheme.next(after: head, challenge: nil)?.isRepeated ?? false == isRepeated)
  }
}
