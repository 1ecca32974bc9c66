import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

struct SettingFactsTests {
  private func name(_ text: String) throws -> SettingName { try #require(SettingName(text)) }

  @Test func `section and key ignore case, a subsection does not`() throws {
    #expect(try name("Fetch.JOBS").text == "fetch.jobs")
    #expect(try name("HOST.Example.Org.Proxy").text == "host.Example.Org.proxy")
    #expect(["fetch", ".jobs", "fetch.", ""].allSatisfy { SettingName($0) == nil })
    #expect(try name("a.b.c").isWritable && name("plugin.a b.c-d").isWritable)
    #expect(try !name("a.1b").isWritable && !name("a b.c").isWritable && !name("a.c d").isWritable)
    #expect(try !name("a.x\ny.c").isWritable)
  }

  @Test(arguments: SettingKey.allCases)
  func `each word that completes a value is one`(key: SettingKey) throws {
    let name = try name(key.rawValue)
    for word in key.entry.kind.words { try name.check(word) }
    if let builtIn = key.entry.builtIn { try name.check(builtIn) }
    #expect(!key.entry.kind.name.isEmpty && !key.entry.kind.allowed.isEmpty)
  }

  @Test(arguments: [
    ("fetch.jobs", "65", "'fetch.jobs' is '65', must be a whole number from 1 to 64"),
    ("color.ui", "red", "'color.ui' is 'red', must be one of auto, always, never"),
    ("report.orders", "revoke, erase", "must be some of remove, revoke, extend, fetch-again"),
    ("network.proxy", "ann:wonder", "'network.proxy' is invalid, must be none"),
    ("kodi.url", "http://ann:wonder@", "'kodi.url' is invalid, must be an http or https URL"),
    ("host.a b.proxy", "none", "'a b' is not a host"),
  ])
  func `an invalid value is refused with the allowed ones`(
    key: String, value: String, message: String
  ) throws {
    let name = try name(key)
    let failure = try #require(throws: Failure.self) { try name.check(value) }
    #expect(failure.code == .badSetting && failure.summary.contains(message))
    #expect(!"\(failure.summary) \(failure.hint)".contains("wonder"))
  }

  @Test func `an empty value is no error where it resets or means none`() throws {
    try name("host.a.org.header").check("")
    try name("kodi.url").check("")
    try name("other.key").check("anything")
  }

  @Test(arguments: [
    ("network.proxy", "http://ann:wonder@p:3128", "http://p:3128/"),
    ("network.proxy", "socks5://ann:wonder@p:1080", "socks5://p:1080"),
    ("network.proxy", "http://p:3128", "http://p:3128"), ("network.proxy", "none", "none"),
    ("host.a.org.header", "Authorization: Bearer wonder", "Authorization: …"),
    ("host.a.org.haeder", "Authorization: Bearer wonder", "…"),
    ("plugin.api-token", "wonder", "…"), ("plugin.colour", "red", "red"),
    ("report.url", "https://a.org/x?token=wonder", "https://a.org/x"),
    ("hook.ready", "curl https://ann:wonder@a.org/x -o y", "curl https://a.org/x -o y"),
    ("hook.ready", "curl https://a.org/#x? -o y # done", "curl https://a.org/ -o y # done"),
    ("library.template", "{show}/{title}", "{show}/{title}"),
  ])
  func `what may be a secret is not shown`(key: String, value: String, shown: String) throws {
    let result = try name(key).shown(value)
    #expect(result.text == shown && result.isHidden == (shown != value))
  }

  @Test func `the lines of a header count up to an empty one, of other keys the last`() throws {
    var settings = Settings()
    settings.add(
      try SettingsFile(
        "[host \"a\"]\nheader=A: 1\nheader=\nheader=B: 2\nheader=C: 3\n[fetch]\njobs=1\njobs=2"
          .utf8,
        path: "f"))
    #expect(
      settings.values(of: try name("host.a.header")).map(\.isEffective)
        == [false, false, true, true])
    #expect(
      settings.values(of: try name("fetch.jobs")).map { "\($0.value?.text ?? "")\($0.isEffective)" }
        == ["3false", "1false", "2true"])
    #expect(
      settings.listed(isAll: false).map(\.name.text) == [
        "fetch.jobs", "host.a.header", "host.a.header",
      ])
  }
}
