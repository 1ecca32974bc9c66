import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// Documents fetched into memory: feeds, lists of digests, licences.
struct FetchDocumentTests {
  private func fetch(
    _ request: HTTPRequest, _ settings: TransferSettings = quick,
    observer: TestObserver = TestObserver()
  ) throws -> HTTPResponse? {
    let engine = try TransferEngine(settings, clock: SystemClock())
    defer { engine.stop() }
    let document = try engine.fetchDocument(request, observer: observer)
    return document.isUnchanged ? nil : document
  }

  private func failure(
    _ request: HTTPRequest, _ settings: TransferSettings = quick
  ) throws -> TransferError? {
    do {
      _ = try fetch(request, settings)
      return nil
    } catch let error as TransferError {
      return error
    }
  }

  private func request(
    _ origin: TestOrigin, _ path: String = "feed", limit: Int = 100_000
  ) -> HTTPRequest {
    HTTPRequest(
      origin.url(path), limit: ByteCount(clamping: Int64(limit)), allowsPrivateAddresses: true)
  }

  private func post(_ origin: TestOrigin, _ body: String = "key=1") -> HTTPRequest {
    var request = request(origin)
    request.method = .post
    request.body = HTTPRequest.Body(Array(body.utf8), type: "text/plain")
    return request
  }

  @Test(arguments: [
    "", "gzip", "chunked", "no-length", "http10", "cut:5000 times 1", "status:500 times 1",
    "drop times 2", "type:text/html",
  ])
  func `a document is complete although the server does this`(_ fault: String) throws {
    let origin = try TestOrigin(fault.isEmpty ? [] : ["/feed \(fault)"])
    let bytes = try origin.serve("feed", 90_000)
    let found = try #require(try fetch(request(origin)))
    #expect(found.bytes == bytes)
    #expect(found.url == origin.url("feed"))
    #expect(try origin.hits(atLeast: 1).allSatisfy { $0.range == nil && $0.method == "GET" })
  }

  @Test func `encoding and validators are those of the response`() throws {
    let origin = try TestOrigin("/feed type:Application/RSS+XML;%20charset=%22UTF-8%22")
    try origin.serve("feed", 10)
    let found = try #require(try fetch(request(origin)))
    #expect(found.charset == "utf-8")
    #expect(found.validators.etag?.hasPrefix("\"") == true)
    #expect(found.validators.lastModified != nil)
  }

  @Test(arguments: ["", "etag-none", "etag-weak"])
  func `a version that the caller has is not sent again, another one is`(_ way: String) throws {
    let origin = try TestOrigin((way.isEmpty ? [] : ["/feed \(way)"]) + ["/feed swap after 2"])
    try origin.serve("feed", 1000, seed: 1)
    let new = try origin.serve("feed@2", 1000, seed: 2)
    var request = request(origin)
    request.validators = try #require(try fetch(request)).validators
    #expect(try fetch(request) == nil)
    #expect(try fetch(request)?.bytes == new)
    #expect(try origin.hits(atLeast: 3).map(\.status) == [200, 304, 200])
  }

  @Test func `an unexpected 304 is refused`() throws {
    let origin = try TestOrigin("/feed status:304")
    #expect(try failure(request(origin))?.code == .httpRefused)
  }

  @Test func `a redirect is followed, and the last URL is returned`() throws {
    let origin = try TestOrigin("/feed redirect:302:http://@SECOND@/b?token=1")
    let bytes = try origin.serve("b", 100)
    var request = request(origin)
    request.credentials = HTTPRequest.Credentials(user: "anna", password: "pass")
    let found = try #require(try fetch(request))
    #expect(found.bytes == bytes)
    #expect(found.url == "http://127.0.0.1:\(origin.secondPort)/b?token=1")
    #expect(try origin.hits(atLeast: 2).filter(\.hasAuthorization).map(\.path) == ["/feed"])
  }

  @Test(arguments: [400, 403, 404, 410])
  func `a refusal is returned with its document on request`(_ status: Int) throws {
    let origin = try TestOrigin("/feed status:\(status)")
    try origin.serve("feed", 100)
    var request = request(origin)
    request.acceptedStatuses = .clientErrors
    let found = try #require(try fetch(request))
    #expect(found.status == status)
  }

  @Test(arguments: [(401, ErrorCode.httpDenied), (429, .rateLimited), (500, .httpFailing)])
  func `refused credentials, rate limits and failures stay errors`(
    _ status: Int, _ code: ErrorCode
  ) throws {
    let origin = try TestOrigin("/feed status:\(status)")
    var request = request(origin)
    request.acceptedStatuses = .clientErrors
    #expect(try failure(request)?.code == code)
  }

  @Test(arguments: [
    ("status:401", 401, Int64?.none), ("status:429 retry-after:30", 429, 30_000),
    ("status:500", 500, nil),
  ])
  func `every failed status is returned as a response on request`(
    _ fault: String, _ status: Int, _ retryAfter: Int64?
  ) throws {
    let origin = try TestOrigin("/feed \(fault)")
    try origin.serve("feed", 10)
    var request = request(origin)
    request.acceptedStatuses = .all
    let found = try #require(try fetch(request))
    #expect(found.status == status)
    #expect(found.bytes.isEmpty)
    #expect(found.retryAfter.map { ($0 + 999) / 1000 } == retryAfter.map { $0 / 1000 })
  }

  @Test func `a POST that the server recognises is repeated after a failure`() throws {
    let origin = try TestOrigin("/feed status:500 times 1")
    try origin.serve("feed", 10)
    var request = post(origin)
    request.idempotencyKey = HTTPRequest.Field("Idempotency-Key", "7")
    #expect(try fetch(request)?.status == 200)
    #expect(try origin.hits(atLeast: 2).map(\.status) == [500, 200])
  }

  @Test func `a header field with a line break is not sent`() throws {
    let origin = try TestOrigin([])
    var request = request(origin)
    request.idempotencyKey = HTTPRequest.Field("Idempotency-Key", "7\r\nHost: other")
    #expect(try failure(request)?.code == .badSetting)
  }

  @Test func `user and password are sent with the first request if so requested`() throws {
    let origin = try TestOrigin([])
    try origin.serve("feed", 10)
    var request = request(origin)
    request.credentials = HTTPRequest.Credentials(
      user: "anna", password: "pass", isPreemptive: true)
    _ = try fetch(request)
    #expect(try origin.hits(atLeast: 1).map(\.hasAuthorization) == [true])
  }

  @Test(arguments: [true, false])
  func `a call that may have taken effect is repeated unless it is sent once`(
    _ isSentOnce: Bool
  ) throws {
    let origin = try TestOrigin("/feed drop times 1")
    try origin.serve("feed", 10)
    var request = request(origin)
    request.method = .put
    request.body = HTTPRequest.Body([], type: "text/plain")
    if !isSentOnce { request.idempotencyKey = HTTPRequest.Field("Idempotency-Key", "7") }
    let failure = try failure(request)
    #expect((failure?.code == .netReset) == isSentOnce)
    let count = isSentOnce ? 1 : 2
    #expect(try origin.hits(atLeast: count).count == count)
  }

  @Test(arguments: [
    ("redirect:302:file:///etc/passwd", ErrorCode.redirectRefused), ("loop", .redirectLoop),
    ("status:404", .httpGone), ("status:403", .httpDenied), ("drop", .netReset),
    ("endless-head", .protocolBroken), ("status:204", .emptyBody),
    ("length-twice", .protocolBroken),
    ("coding:compress", .encodedBody),
  ])
  func `the error is reported`(_ fault: String, _ code: ErrorCode) throws {
    let origin = try TestOrigin("/feed \(fault)")
    try origin.serve("feed", 1000)
    let error = try #require(try failure(request(origin, "feed?token=secret")))
    #expect(error.code == code)
    #expect(!error.summary.contains("secret"))
  }

  @Test(arguments: ["", "chunked", "gzip", "close"])
  func `the limit applies while bytes arrive, to the byte`(_ fault: String) throws {
    let origin = try TestOrigin(fault.isEmpty ? [] : ["/feed \(fault)"])
    let size = fault == "gzip" ? 1_000_000 : 12_000_000
    try origin.serve("feed", [UInt8](repeating: 7, count: size))
    #expect(try failure(request(origin, limit: 100_000))?.code == .bodyTooLarge)
    // The socket buffers accept a megabyte immediately.
    if fault != "gzip" {
      #expect(try origin.hits(atLeast: 1).allSatisfy { $0.sent < Int64(size) })
    }
    try origin.serve("feed", 100_001)
    #expect(try failure(request(origin, limit: 100_000))?.code == .bodyTooLarge)
    #expect(try fetch(request(origin, limit: 100_001))?.bytes.count == 100_001)
  }

  @Test func `a kilobyte that expands to a mebibyte is abandoned at the limit`() throws {
    let origin = try TestOrigin("/feed coding:gzip")
    let front = [UInt8](hex: "1f8b08000000000002ffedc13101000000c2a0f54f6d085fa0")
    let end = [UInt8](hex: "3e031cea38a700001000")
    try origin.serve("feed", front + [UInt8](repeating: 0, count: 1016) + end)
    #expect(try failure(request(origin, limit: 1_048_575))?.code == .bodyTooLarge)
    let whole = try #require(try fetch(request(origin, limit: 1_048_576)))
    #expect(whole.bytes == [UInt8](repeating: 0, count: 1_048_576))
  }

  @Test func `credentials are sent, and without them access is denied immediately`() throws {
    let origin = try TestOrigin("/feed auth:anna:pass")
    let bytes = try origin.serve("feed", 100)
    var request = request(origin)
    #expect(try failure(request)?.code == .httpDenied)
    request.credentials = HTTPRequest.Credentials(user: "anna", password: "pass")
    #expect(try fetch(request)?.bytes == bytes)
    // Over http, the client first asks the server for its authentication scheme.
    #expect(try origin.hits(atLeast: 3).map(\.hasAuthorization) == [false, false, true])
  }

  @Test(arguments: ["retry-after:3600", "retry-at:3600"])
  func `a host with a Retry-After gets requests neither for documents nor for parts`(
    _ fault: String
  ) throws {
    let origin = try TestOrigin("/feed status:429 \(fault) header:RateLimit-Policy=1;w=9")
    try origin.serve("a.mp4", 1000)
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    for _ in 0..<2 {
      let error = #expect(throws: TransferError.self) {
        try engine.fetchDocument(request(origin), observer: TestObserver())
      }
      #expect(error?.code == .rateLimited)
      #expect(error?.retryAt != nil)
    }
    #expect(throws: TransferError.self) {
      try engine.run(origin.job("a.mp4"), observer: TestObserver())
    }
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/feed"])
  }

  @Test func `a rate limit without a time is retried, for a POST too`() throws {
    let origin = try TestOrigin("/feed status:429 times 2")
    try origin.serve("feed", 10)
    let observer = TestObserver()
    #expect(try fetch(post(origin), observer: observer)?.bytes.count == 10)
    #expect(observer.retries.map(\.code) == [.rateLimited, .rateLimited])
    #expect(try origin.hits(atLeast: 3).map(\.body) == ["key=1", "key=1", "key=1"])
  }

  @Test(arguments: [301, 302, 303])
  func `a POST becomes a GET without its body behind this redirect`(_ status: Int) throws {
    let origin = try TestOrigin("/feed redirect:\(status):/b")
    let bytes = try origin.serve("b", 100)
    #expect(try fetch(post(origin))?.bytes == bytes)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits.map(\.method) == ["POST", "GET"])
    #expect(hits.map(\.body) == ["key=1", nil])
    #expect(hits.map(\.type) == ["text/plain", nil])
  }

  @Test(arguments: [307, 308])
  func `a POST is repeated with its body behind this redirect`(_ status: Int) throws {
    let origin = try TestOrigin("/feed redirect:\(status):/b")
    let bytes = try origin.serve("b", 100)
    #expect(try fetch(post(origin))?.bytes == bytes)
    let hits = try origin.hits(atLeast: 2)
    #expect(Set(hits.map(\.path)) == ["/feed", "/b"])
    #expect(hits.map(\.method) == ["POST", "POST"])
    #expect(hits.map(\.body) == ["key=1", "key=1"])
  }

  @Test func `a body is sent to its own origin only`() throws {
    let origin = try TestOrigin("/feed redirect:307:http://@SECOND@/b")
    try origin.serve("b", 100)
    #expect(try failure(post(origin))?.code == .redirectRefused)
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/feed"])
  }

  @Test(arguments: ["drop", "status:500", "cut:5"])
  func `a POST that may have taken effect is not repeated`(_ fault: String) throws {
    let origin = try TestOrigin("/feed \(fault)")
    try origin.serve("feed", 100)
    #expect(try failure(post(origin)) != nil)
    #expect(try origin.hits(atLeast: 1).count == 1)
  }

  @Test(arguments: [0, 2_000_000])
  func `a body of any size is sent as it is`(_ count: Int) throws {
    let origin = try TestOrigin()
    try origin.serve("feed", 10)
    let body = String(repeating: "b", count: count)
    #expect(try fetch(post(origin, body))?.bytes.count == 10)
    #expect(try origin.hits(atLeast: 1).map { $0.body ?? "" } == [body])
  }

  @Test func `a URL of a feed must not lead to a private network`() throws {
    let origin = try TestOrigin()
    try origin.serve("feed", 10)
    var request = request(origin)
    request.allowsPrivateAddresses = false
    #expect(try failure(request)?.code == .addressRefused)
    #expect(try origin.hits().isEmpty)
  }

  @Test func `a stop ends the fetch`() throws {
    let origin = try TestOrigin("/feed hang")
    let observer = TestObserver(stoppingAt: 0)
    let error = #expect(throws: TransferError.self) {
      try fetch(request(origin), observer: observer)
    }
    #expect(error?.code == .interrupted)
  }
}

extension [UInt8] {
  fileprivate init(hex: String) { self = Hex.bytes(of: hex) ?? [] }
}
