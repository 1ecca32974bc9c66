import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Digests that are published beside a source, and the requests that the lookup costs.
@Suite struct ChecksumLookupTests {
  private var looking: TransferSettings {
    var settings = quick
    settings.looksUpChecksums = true
    return settings
  }

  /// Returns an origin with a film and a text beside it.
  private func origin(_ rules: String..., text: String? = nil) throws -> (TestOrigin, String) {
    let origin = try TestOrigin(rules)
    let hash = sha256(try origin.serve("a.mp4", 10_000)).hex
    if let text { try origin.serve("a.mp4.sha256", Array(text.replacing("@", with: hash).utf8)) }
    return (origin, hash)
  }

  @Test func `a digest is published beside the URL`() throws {
    let (origin, _) = try origin(text: "@  a.mp4\n")
    #expect(try fetch(origin.job("a.mp4"), looking).proof == .published)
    #expect(try origin.hits(atLeast: 2).map(\.path).sorted() == ["/a.mp4", "/a.mp4.sha256"])
  }

  @Test func `or it is in the list of its folder`() throws {
    let (origin, hash) = try origin()
    try origin.serve("SHA256SUMS", Array("\(hash) *a.mp4\n".utf8))
    let observer = TestObserver()
    #expect(try fetch(origin.job("a.mp4"), looking, observer: observer).proof == .published)
    #expect(observer.notes.isEmpty)
  }

  @Test func `a missing digest is not a failure and costs two requests`() throws {
    let (origin, _) = try origin()
    let observer = TestObserver()
    #expect(try fetch(origin.job("a.mp4"), looking, observer: observer).proof == .length)
    #expect(try origin.hits(atLeast: 3).map(\.status) == [200, 404, 404])
    #expect(observer.notes.isEmpty)
  }

  @Test func `the request has the query and the password of the source`() throws {
    let (origin, _) = try origin("/a.mp4* auth:user:pass", text: "@")
    var job = try origin.job("a.mp4?token=secret")
    job.sources[0].user = "user"
    job.sources[0].password = "pass"
    #expect(try fetch(job, looking).proof == .published)
    #expect(try origin.hits(atLeast: 2).last?.hasAuthorization == true)
  }

  @Test func `a file of another form is reported without the query`() throws {
    let (origin, _) = try origin(text: "<html>no</html>")
    let observer = TestObserver()
    let job = try origin.job("a.mp4?token=secret")
    #expect(try fetch(job, looking, observer: observer).proof == .length)
    #expect(observer.notes == ["'\(origin.url("a.mp4.sha256"))' has no digest for 'a.mp4'"])
  }

  @Test(arguments: ["endless-head", "cut:10", "status:500"])
  func `an unavailable file is reported after the usual attempts`(_ fault: String) throws {
    let (origin, _) = try origin("/a.mp4.sha256 \(fault)", text: "@ and more than ten bytes")
    let observer = TestObserver()
    #expect(try fetch(origin.job("a.mp4"), looking, observer: observer).proof == .length)
    #expect(observer.notes.count == 1)
    #expect(try origin.hits(atLeast: 7).count { $0.path == "/a.mp4.sha256" } == 5)
  }

  @Test func `an endless file is abandoned`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", 10_000)
    try origin.serve("a.mp4.sha256", 1_000_000)
    let observer = TestObserver()
    #expect(try fetch(origin.job("a.mp4"), looking, observer: observer).proof == .length)
    #expect(observer.notes.count == 1)
  }

  @Test func `a Retry-After counts as no response`() throws {
    let (origin, _) = try origin("/a.mp4.sha256 status:503 retry-after:3600", text: "@")
    let job = try origin.job("a.mp4")
    #expect(try failure(job, looking) == .rateLimited)
    // The bytes are kept: only the digest is requested again.
    #expect(try failure(job, looking) == .rateLimited)
    #expect(try origin.hits().count { $0.path == "/a.mp4" } == 1)
  }

  @Test func `a mismatching digest is read again with the bytes`() throws {
    let wrong = String(repeating: "0", count: 64)
    let (origin, hash) = try origin("/a.mp4.sha256 swap after 1", text: wrong)
    try origin.serve("a.mp4.sha256@2", Array(hash.utf8))
    #expect(try fetch(origin.job("a.mp4"), looking).proof == .published)
    #expect(try origin.hits(atLeast: 4).count == 4)
  }

  @Test func `a given digest is sufficient`() throws {
    let (origin, hash) = try origin(text: "0")
    var job = try origin.job("a.mp4")
    job.expectedDigest = Digest(.sha256, hex: hash)
    #expect(try fetch(job, looking).proof == .published)
    #expect(try origin.hits().count == 1)
  }
}
