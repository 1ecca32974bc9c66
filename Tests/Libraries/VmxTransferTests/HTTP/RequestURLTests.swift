import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct RequestURLTests {
  @Test func `user, password and fragment are removed`() throws {
    let url = try #require(RequestURL("http://u:p@Example.org:81/a?t=1#f"))
    #expect(url.text == "http://Example.org:81/a?t=1")
    #expect(url.redacted == "http://example.org:81/a")
    #expect(url.origin == .init(scheme: "http", host: "example.org", port: "81"))
  }

  @Test func `the default port is used`() throws {
    let named = try #require(RequestURL("https://a.org:443/"))
    #expect(named.origin == RequestURL("https://a.org/x")?.origin)
    #expect(named.origin != RequestURL("http://a.org/x")?.origin)
  }

  @Test(arguments: ["ftp://a.org/", "file:///etc/passwd", "/a", "", "http://", "magnet:?xt=a"])
  func `anything else than http is refused`(_ text: String) {
    #expect(RequestURL(text) == nil)
  }

  @Test(arguments: [
    ("http://a.org/a?Expires=1&Signature=b", true), ("http://a.org/a?X-Amz-Signature=b", true),
    ("http://a.org/a.mp4;token=b", true), ("http://a.org/token=1", false),
    ("http://a.org/a?t=1&expired=2", false), ("http://a.org/expires?a=1", false),
  ])
  func `a URL that is signed for a time is recognised`(_ text: String, _ expected: Bool) {
    #expect(RequestURL(text)?.hasSignature == expected)
  }

  @Test(arguments: [
    ("/x", "http://a.org/x"), ("y?q=1", "http://a.org/b/y?q=1"), ("//c.org/z", "http://c.org/z"),
    ("https://c.org/", "https://c.org/"), ("http:/p", "http://a.org/p"),
    ("HTTP:q", "http://a.org/b/q"), ("a b", "http://a.org/b/a%20b"),
  ])
  func `references are resolved`(_ reference: String, _ expected: String) {
    #expect(RequestURL("http://a.org/b/c")?.resolving(reference)?.text == expected)
  }

  @Test(arguments: [
    ("ftp://u:p@a.org/x?t=1", "ftp://a.org/x"), ("nonsense?x", "nonsense"),
    ("file:///etc/passwd#a", "file:///etc/passwd"),
  ])
  func `the printable form has no secrets`(_ text: String, _ shown: String) {
    #expect(URLRedaction.redacted(text) == shown)
  }
}
