import Testing
import VmxModel
import VmxTestSupport

struct WebURLTests {
  @Test(arguments: [
    ("http://example.org", "http://example.org/"),
    ("HTTPS://Example.ORG:443/A/b.mp4?x=1#top", "https://example.org/A/b.mp4?x=1"),
    ("http://example.org:80/", "http://example.org/"),
    ("http://example.org:8080", "http://example.org:8080/"),
    ("http://example.org:/x", "http://example.org/x"),
    ("http://example.org?a=b", "http://example.org/?a=b"),
    ("http://example.org/a/./b/../c", "http://example.org/a/c"),
    ("http://example.org/a/..", "http://example.org/"),
    ("http://example.org/../../x", "http://example.org/x"),
    ("http://example.org/%2e%2E/x/%2E", "http://example.org/x/"),
    ("http://example.org/a//b/", "http://example.org/a//b/"),
    ("http://example.org/é?ü='1'|[2]", "http://example.org/%C3%A9?%C3%BC=%271%27|[2]"),
    ("http://example.org/100%", "http://example.org/100%"),
    ("http://[2001:DB8::1]:81/x", "http://[2001:db8::1]:81/x"),
    ("http://[2001:db8:0:0:0:0:0:1]/x", "http://[2001:db8::1]/x"),
    ("http://127.0.0.1:9/x?", "http://127.0.0.1:9/x?"),
  ])
  func `a URL has one normalised text`(given: String, text: String) throws {
    #expect(try WebURL(given).text == text)
    #expect(try WebURL(text).text == text)
  }

  @Test func `user and password are removed from the text`() throws {
    let url = try WebURL("https://ann%40home:p%3Ass@w@example.org/x?y#z")
    #expect(url.user == "ann@home")
    #expect(url.password == "p:ss@w")
    #expect(url.text == "https://example.org/x?y")
    #expect(try WebURL("http://ann@example.org/").password == nil)
    #expect(try WebURL("http://@example.org/").user == nil)
  }

  @Test(arguments: [
    "", "example.org/x", "//example.org/x", "localhost:8080/x", "C:\\video.mp4", "http:/x",
    "http:///x", "http://", "http://exa mple.org/", "http://example.org/a b", "http://a\nb/",
    " http://example.org/", "http://example.org:0/", "http://example.org:65536/",
    "http://example.org:+80/", "http://example.org:8o/", "http://[::1", "http://[fe80::1%25eth0]/",
    "http://[nonsense]/", "http://[:::1]/", "http://[1::2::3]/", "http://[127.0.0.1]/",
    "http://a..b/", "http://.a/", "http://a%2eb/", "http://a\\@b/",
    "http://a\u{3002}b/", "http://a\u{FF0F}b/", "http://a\u{2044}b/", "http://[::1]x/",
    "http://u:%00@b/", "http://u:%FF@b/", "http://ex<am>ple/", "http://a/\u{7F}",
  ])
  func `a text that is not a URL is refused`(text: String) {
    #expect(code { try WebURL(text) } == .badURL)
  }

  @Test(arguments: [
    "ftp://example.org/x", "file:///etc/passwd", "magnet:?xt=urn:btih:0", "data:text/html,x",
    "javascript:alert(1)", "https://example.org/live/INDEX.M3U8?t=1", "http://example.org/a.mpd",
    "http://example.org/list.m3u", "http://example.org/a.torrent", "http://example.org/a.m3u8/",
  ])
  func `sources that are not complete files are unsupported`(text: String) {
    #expect(code { try WebURL(text) } == .sourceUnsupported)
  }

  @Test(arguments: [
    "http://ann:hunter2@exa mple.org/x?token=hunter2", "ftp://ann:hunter2@example.org/x",
    "http://ann:hunter2@example.org:0/x#hunter2", "http://ann:hunter2@a\\b/?hunter2",
    "https://ann:hunter2@example.org/a.m3u8?hunter2", "ann:hunter2@example.org/x",
    "http:ann:hunter2@example.org", "http://hunter2:%00@example.org/",
  ])
  func `a message contains no secrets`(text: String) throws {
    let failure = try #require(throws: Failure.self) { try WebURL(text) }
    #expect(!failure.summary.contains("hunter2"), "\(failure.summary)")
  }

  @Test(arguments: [
    ("http://a.example/x?utm_source=rss&id=5&fbclid=q", "http://a.example/x?id=5"),
    ("http://a.example/x?UTM_Medium=a", "http://a.example/x"),
    ("http://a.example/x?id=5&&b", "http://a.example/x?id=5&&b"),
    ("http://a.example/x", "http://a.example/x"),
  ])
  func `tracking parameters are not part of a source's identity`(given: String, kept: String) throws
  {
    #expect(try WebURL(given).withoutTracking == kept)
  }

  @Test(arguments: [
    ("http://a.example/b/My%20Clip.MP4?x=/y.z", "My Clip.MP4", "My Clip", "mp4"),
    ("http://a.example/b/", "b", "b", ""), ("http://a.example", "", "", ""),
    ("http://a.example/%FF.mkv", "%FF.mkv", "%FF", "mkv"),
    ("http://a.example/.hidden", ".hidden", ".hidden", ""),
    ("http://a.example/v1.2-final%2Fx", "v1.2-final/x", "v1.2-final/x", ""),
    ("http://a.example/a.tar.gz", "a.tar.gz", "a.tar", "gz"),
    ("http://a.example/x.", "x.", "x.", ""),
    ("http://a.example/x.mp4;token=a/b", "b", "b", ""),
    ("http://a.example/b/x.mp4;token=a.b;e=1", "x.mp4", "x", "mp4"),
    ("http://a.example/one;two.mp4", "one;two.mp4", "one;two", "mp4"),
  ])
  func `the last component provides a title`(
    url: String, last: String, stem: String, ending: String
  ) throws {
    let url = try WebURL(url)
    #expect(url.lastPathComponent == last)
    #expect(url.stem == stem)
    #expect(url.fileExtension == ending)
  }

  @Test func `credentials belong to scheme, host and port`() throws {
    #expect(try WebURL("https://A.example:443/x").origin == "https://a.example")
    #expect(try WebURL("http://a.example:443/x").origin == "http://a.example:443")
  }

  @Test func `a non-ASCII host is left to the resolver`() throws {
    #expect(try WebURL("http://BÜCHER.example/x").host == "bücher.example")
    #expect(try WebURL("http://例え.テスト/").text == "http://例え.テスト/")
  }

  @Test func `no authority can hide another host`() throws {
    var random = SeededRandom(seed: 13)
    let pieces = [
      "@", ":", "/", "\\", "[", "]", "a", "b.example", "%40", "%2F", "?", "#", ".", "80",
    ]
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<8, using: &random)
      let text =
        "http://"
        + (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      guard let url = try? WebURL(text) else { continue }
      #expect(!url.text.contains("@") || url.path.contains("@") || url.query?.contains("@") == true)
      let again = try WebURL(url.text)
      #expect(again.host == url.host && again.port == url.port && again.user == nil, "\(text)")
    }
  }

  @Test func `any text is either accepted or refused, and an accepted one is stable`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<3000 {
      let text = "http://u:p@h.example/" + random.text(upTo: 40)
      guard let url = try? WebURL(text) else { continue }
      #expect((try? WebURL(url.text))?.text == url.text, "\(text.debugDescription)")
      #expect(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
  }
}
