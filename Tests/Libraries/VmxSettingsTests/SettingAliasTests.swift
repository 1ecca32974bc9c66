import Testing
import VmxModel

@testable import VmxSettings

@Suite struct SettingAliasTests {
  private func alias(_ text: String?) -> SettingAlias {
    SettingAlias(name: "a", text: text, origin: .parameter)
  }

  @Test(arguments: [
    ("list --show", ["list", "--show"]), ("  list\t'a b'  ", ["list", "a b"]),
    (#"list "a 'b' \" \x" c\ d"#, ["list", #"a 'b' " \x"#, "c d"]), ("list ''", ["list", ""]),
    (#"a'b'"c""#, ["abc"]),
  ])
  func `a text is split into words as by a shell`(text: String, words: [String]) throws {
    #expect(try alias(text).expansion() == .words(words))
  }

  @Test func `an exclamation mark begins a line of the shell`() throws {
    #expect(try alias("! echo 'a").expansion() == .shell("echo 'a"))
  }

  @Test(arguments: [nil, "", "  ", "!", "list 'a", #"list "a"#, #"list \"#])
  func `an empty text and an open quote are refused`(text: String?) {
    let failure = #expect(throws: Failure.self) { try alias(text).expansion() }
    #expect(failure?.code == .badSetting)
    #expect(failure?.summary.hasPrefix("option '-c': 'alias.a' ") == true)
  }

  @Test func `the last text of a name counts, and names ignore case`() throws {
    var settings = Settings()
    settings.add(try SettingsFile(Array("[alias]\nTV = one\ntv = two\nb = x\n".utf8), path: "f"))
    #expect(settings.aliases.map(\.name) == ["b", "tv"])
    #expect(settings.alias(named: "tv")?.text == "two")
    #expect(settings.alias(named: "tv")?.origin == .file("f", line: 3))
    #expect(settings.alias(named: "none") == nil)
    #expect(settings.warnings.isEmpty)
  }

  @Test func `an alias may be given by -c and by a variable`() throws {
    var settings = Settings()
    settings.add(environment: ["VMX_ALIAS_TV": "list"])
    try settings.add(parameter: "alias.new=list --due")
    #expect(settings.aliases.map(\.text) == ["list --due", "list"])
    #expect(settings.warnings.isEmpty)
  }

  @Test func `a subsection of aliases is misspelt`() throws {
    var settings = Settings()
    settings.add(try SettingsFile(Array("[alias \"x\"]\ntv = list\n".utf8), path: "f"))
    #expect(settings.aliases.isEmpty)
    #expect(settings.warnings.map(\.code) == [.unknownSetting])
  }
}
