import Testing
import VmxModel
import VmxSettings

struct HostTableTests {
  private func table(_ text: String) throws -> HostTable {
    var settings = Settings()
    settings.add(try SettingsFile(text.utf8, path: "config"))
    return try HostTable(settings, home: "/home/ann")
  }

  private func rules(_ text: String, _ host: String = "example.org", port: String = "443") throws
    -> HostRules
  {
    try table(text).rules(host: host, port: port)
  }

  @Test func `without settings every host has the same options`() throws {
    #expect(try rules("") == HostRules())
    #expect(HostRules().netrc == nil && HostRules().proxy == .environment)
  }

  @Test func `network settings apply to hosts without a section of their own`() throws {
    let text = """
      [network]
        proxy = http://proxy.example:3128
        netrc
        ca-file = ~/ca.pem
        user-agent = "me/1"
        http-version = 1.1
      [host "other.example"]
        proxy = none
        netrc = /etc/netrc
        user-agent =
      """
    let usual = try rules(text)
    #expect(usual.proxy == .url("http://proxy.example:3128"))
    #expect(usual.netrc == "/home/ann/.netrc")
    #expect(usual.caFile == "/home/ann/ca.pem")
    #expect(usual.userAgent == "me/1")
    #expect(usual.httpVersion == .one)
    let other = try rules(text, "other.example")
    #expect(other.proxy == .none)
    #expect(other.netrc == "/etc/netrc")
    #expect(other.caFile == "/home/ann/ca.pem")
    #expect(other.userAgent == "")
  }

  @Test(arguments: [
    ("example.org", "example.org", "443", true), ("Example.ORG", "example.org", "1", true),
    ("example.org", "www.example.org", "443", false), ("example.org", "example.orga", "443", false),
    ("*.example.org", "www.example.org", "443", true),
    ("*.example.org", "a.b.example.org", "443", true),
    ("*.example.org", "example.org", "443", false),
    ("*.example.org", "badexample.org", "443", false),
    ("example.org:8080", "example.org", "8080", true),
    ("example.org:8080", "example.org", "443", false),
    ("[::1]", "[::1]", "80", true), ("[::1]:80", "[::1]", "81", false),
    ("127.0.0.1", "127.0.0.1", "80", true),
  ])
  func `a section applies only to its hosts`(
    name: String, host: String, port: String, isMeant: Bool
  ) throws {
    let text = "[host \"\(name)\"]\n user-agent = mine\n"
    #expect((try rules(text, host, port: port).userAgent == "mine") == isMeant)
  }

  @Test func `the more specific section of a host takes precedence, key by key`() throws {
    let text = """
      [host "www.example.org"]
        user-agent = exact
      [host "*.www.example.org"]
        user-agent = never
      [host "*.example.org"]
        user-agent = wide
        header = A: wide
      [host "*.org"]
        header = A: wider
        cookies = /wider
      """
    let found = try rules(text, "www.example.org")
    #expect(found.userAgent == "exact")
    #expect(found.headers == ["A: wide"])
    #expect(found.cookies == "/wider")
  }

  @Test func `headers accumulate until an empty one clears them`() throws {
    let section = "[host \"example.org\"]\n"
    #expect(try rules("\(section)header = A: 1\nheader=B:2\n").headers == ["A: 1", "B: 2"])
    #expect(
      try rules("\(section)header = A: 1\nheader =\nheader = \"C:  x; y\"\n").headers == ["C: x; y"]
    )
  }

  @Test(arguments: [
    "header = no colon", "header = A:", "header = A b: c", "header = Range: bytes=0-1",
    "header = accept-encoding: br", "header = \"A: b\\n\\tC: d\"", "header",
    "proxy = ftp://proxy:1", "proxy = proxy", "proxy = http://", "proxy",
    "netrc = maybe", "cookies = cookies.txt", "cookies", "http-version = 3", "ca-file = x",
  ])
  func `an invalid value is reported with its position but not its content`(line: String) throws {
    let secret = "s3cret"
    let text = "[host \"example.org\"]\n\(line)\n".replacing(
      "proxy = http://", with: "proxy = x://\(secret)@")
    let failure = try #require(throws: Failure.self) { try table(text) }
    #expect(failure.code == .badSetting)
    #expect(failure.summary.hasPrefix("'config' line 2: 'host.example.org."))
    #expect(!failure.summary.contains(secret))
  }

  @Test(arguments: ["", "https://example.org", "example.org/", "a b", "*", "*.", "example.org:x"])
  func `a section without a host is a bad setting`(name: String) throws {
    let failure = try #require(throws: Failure.self) {
      try table("[host \"\(name)\"]\nuser-agent = x\n")
    }
    #expect(failure.code == .badSetting)
    #expect(failure.summary.hasPrefix("'config' line 2: '\(name)' is not a host"))
  }

  @Test func `unknown keys of a host are tolerated`() throws {
    #expect(try rules("[host \"a b\"]\nfuture = 1\n[host]\nheader = x\n") == HostRules())
  }

  @Test func `files named in settings are listed with their positions`() throws {
    let text = """
      [network]
        netrc
      [host "example.org"]
        cookies = ~/cookies.txt
        netrc = false
      """
    let files = try table(text).files
    #expect(files.map(\.path) == ["/home/ann/cookies.txt"])
    #expect(files.map(\.setting) == ["'config' line 4: 'host.example.org.cookies'"])
  }
}
