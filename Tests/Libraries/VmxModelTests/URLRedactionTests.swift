import Testing
import VmxModel

struct URLRedactionTests {
  /// Texts with the user name `anna` and the secret `geheim` at places where a URL parser may miss
  /// them.
  private static let texts = [
    "https://anna:geheim@example.invalid/x.mp4",
    "https://anna:geheim@example.invalid/x.mp4?token=geheim",
    "https://anna:geheim@example.invalid/x.mp4#geheim", "https://anna@example.invalid/x.mp4",
    "https://:geheim@example.invalid/x.mp4", "https://anna:@example.invalid/x.mp4?geheim",
    "https://anna:pa/geheim@example.invalid/x.mp4",
    "https://anna:pa?geheim@example.invalid/x.mp4",
    "https://anna:pa#geheim@example.invalid/x.mp4",
    "https://anna:pa@geheim@example.invalid/x.mp4",
    "https://anna:pa:geheim@example.invalid/x.mp4",
    "https://anna:pa\\geheim@example.invalid/x.mp4",
    "https://anna:pa geheim@example.invalid/x.mp4",
    "https://anna:pa/ge?heim#geheim@example.invalid/x.mp4", "https://anna:geheim@",
    "https://anna:geheim@/x.mp4", "https://anna:geheim@?x", "https://anna:geheim@#x",
    "https://anna:geheim@example.invalid:0/x.mp4",
    "https://anna:geheim@example.invalid:65536/x.mp4",
    "https://anna:geheim@example.invalid:port/x.mp4",
    "https://anna:geheim@exa mple.invalid/x.mp4", "https://anna:geheim@[::1/x.mp4",
    "https://anna:geheim@[nonsense]/x.mp4", "https://anna:geheim@a..b/x.mp4",
    "https://anna:geheim@a\\b/x.mp4", "https://anna:geheim@a%2eb/x.mp4",
    "https://anna:geheim%00@example.invalid/x.mp4",
    "https://anna:%FFgeheim@example.invalid/x.mp4",
    "https://anna:geheim%40example.invalid/x.mp4", "https://anna:geheim＠example.invalid/x.mp4",
    "https://anna:geheim﹫example.invalid/x.mp4", "https://anna:geheim@ex<am>ple/x.mp4",
    "https://anna:geheim@@example.invalid/x.mp4", "https://anna:geheim@/@example.invalid/x.mp4",
    "anna:geheim@example.invalid/x.mp4",
    "anna:geheim@example.invalid/x.mp4?u=https://a.invalid/b",
    "anna:geheim@example.invalid?geheim", "anna:geheim@example.invalid/https://a.invalid/b",
    "//anna:geheim@example.invalid/x.mp4", "://anna:geheim@example.invalid/x.mp4",
    "https:/anna:geheim@example.invalid/x.mp4", "https:anna:geheim@example.invalid/x.mp4",
    "https:///anna:geheim@example.invalid/x.mp4",
    "HTTPS://anna:geheim@EXAMPLE.invalid/x.mp4?geheim",
    "hxxps://anna:geheim@example.invalid/x.mp4", "ftp://anna:geheim@example.invalid/x.mp4",
    "ftp://anna:pa/geheim@example.invalid/x.mp4", "sftp://anna:geheim@example.invalid/x.mp4",
    "rtmp://anna:geheim@example.invalid/live", "ssh+https://anna:geheim@example.invalid/x.mp4",
    "1https://anna:geheim@example.invalid/x.mp4", "h://anna:geheim@example.invalid/x.mp4",
    "https://anna:geheim@example.invalid/a.m3u8?geheim",
    "https://anna:geheim@example.invalid/a.mpd#geheim",
    "https://anna:pa/geheim@example.invalid/a.m3u8",
    "https://example.invalid/x.mp4?user=anna&password=geheim", "https://example.invalid?geheim",
    "https://example.invalid#geheim", "https://example.invalid/x.m3u8?sig=geheim",
    "https://example.invalid/https://anna:geheim@other.invalid/x.mp4",
    "https://example.invalid/a/http://anna:pa/geheim@other.invalid/https://anna:geheim@third.invalid/y",
    "https://example.invalid:70000/x.mp4?geheim",
    "https://exa mple.invalid/x?mail=anna@geheim.invalid",
    "https://exa mple.invalid/x#anna@geheim.invalid", "https://anna:geheim",
    "https://anna:geheim/x.mp4", "https://anna:geheim?x", "https://anna:geheim\\x",
    "https://[::1]:geheim/x.mp4", "https://annä:geheim@example.invalid/x.mp4",
    "https://anna:geheim。@example.invalid/x.mp4", "magnet:?xt=urn:btih:geheim",
    "data:text/html,?geheim", "file://anna:geheim@example.invalid/etc/passwd",
    "https://anna:geheim@xn--é.invalid:99999/x", "https://anna;x:geheim@example.invalid:1x/",
    "https://anna:geheim@example.invalid./x y",
  ]

  @Test(arguments: texts)
  func `no user info, query or fragment is printed`(text: String) {
    for shown in [URLRedaction.redacted(text), URLRedaction.redacted(operand: text)] {
      #expect(!shown.contains("geheim") && !shown.contains("anna"), "\(shown)")
    }
  }

  @Test(arguments: texts)
  func `no failure of a URL, an id or an episode contains a secret`(text: String) {
    var failures = [Failure.notAnID(text), Failure.noSuchEpisode(text)]
    failures.append(Failure(.inputMissing, "cannot open '\(text)': no").redacting([text]))
    do throws(Failure) { _ = try WebURL(text) } catch { failures.append(error) }
    for failure in failures {
      #expect(!failure.summary.contains("geheim") && !failure.summary.contains("anna"))
    }
  }

  @Test(arguments: [
    ("https://example.invalid/a/b.mp4", "https://example.invalid/a/b.mp4"),
    ("HTTP://Example.invalid:80/@user/b.mp4", "http://example.invalid/@user/b.mp4"),
    ("http://example.invalid:8080", "http://example.invalid:8080/"),
    ("https://anna:geheim@example.invalid/x.mp4?y#z", "https://example.invalid/x.mp4"),
    ("https://anna:pa/geheim@example.invalid/x.mp4", "https://example.invalid/x.mp4"),
    ("https://example.invalid:70000/x.mp4", "https://example.invalid:70000/x.mp4"),
    ("https://anna:pa?geheim@example.invalid/x", "https://…"),
    ("https://anna:geheim", "https://…"),
    ("ftp://example.invalid/x", "ftp://example.invalid/x"),
    ("http://a.invalid/http://u:p@b.invalid/x", "http://a.invalid/http://b.invalid/x"),
  ])
  func `other text stays readable`(text: String, shown: String) {
    #expect(URLRedaction.redacted(text) == shown)
  }

  // Regression: every tool that accepts ids printed a word without a scheme as typed.
  @Test(arguments: [
    ("www.example.invalid/a?token=geheim", "www.example.invalid/a"),
    ("www.example.invalid?geheim", "www.example.invalid/"),
    ("media.example.invalid/a.mp4#geheim", "media.example.invalid/a.mp4"),
    ("www.example.invalid", "www.example.invalid"),
    ("media.example.invalid/a.mp4", "media.example.invalid/a.mp4"),
  ])
  func `a URL without its scheme loses its query`(text: String, shown: String) {
    #expect(URLRedaction.redacted(operand: text) == shown)
    #expect(!Failure.noSuchEpisode(text).summary.contains("geheim"))
  }

  @Test(arguments: ["Who is it?.mp4", "a#1.mp4", "me@home.mp4", "a: b.mp4", "girls/s01e01", ""])
  func `an operand that cannot be a URL is printed as typed`(text: String) {
    #expect(URLRedaction.redacted(operand: text) == text)
  }
}
