import Testing

@testable import VmxTransfer

@Suite struct RedirectPolicyTests {
  private func verdict(
    _ from: String, _ location: String?, followed: Int = 0, allowing: Bool = false
  ) throws -> RedirectPolicy.Verdict {
    RedirectPolicy(limit: 3, allowsDowngrade: allowing).verdict(
      from: try #require(RequestURL(from)), location: location, followed: followed)
  }

  @Test func `a redirect is followed within http and https`() throws {
    let secure = try #require(RequestURL("https://b.org/"))
    #expect(try verdict("http://a.org/", "https://b.org/") == .follow(secure))
    #expect(try verdict("https://a.org/", "https://b.org/") == .follow(secure))
  }

  @Test func `a redirect from https to http is refused unless allowed`() throws {
    let plain = try #require(RequestURL("http://b.org/x"))
    #expect(try verdict("https://a.org/", "http://b.org/x?t") == .refuse(to: "http://b.org/x"))
    #expect(try verdict("https://a.org/", "http://b.org/x", allowing: true) == .follow(plain))
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://a.org/", "javascript:x", ""])
  func `a redirect to another scheme is refused`(_ location: String) throws {
    #expect(try verdict("http://a.org/", location) == .refuse(to: location))
  }

  @Test func `the number of redirects is limited`() throws {
    #expect(try verdict("http://a.org/", "/x", followed: 3) == .tooMany)
  }

  @Test(arguments: [300, 304, 305, 399, 200])
  func `other statuses are not redirects`(_ status: Int) {
    #expect(RedirectPolicy.isRedirect(status) == false)
  }
}
