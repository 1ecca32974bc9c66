import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

struct SettingsTextTests {
  private func name(_ text: String) throws -> SettingName { try #require(SettingName(text)) }

  private func set(_ key: String, _ value: String, in text: String) throws -> String {
    var file = try SettingsText(Array(text.utf8), path: "config")
    try file.set(name(key), to: value)
    return String(decoding: file.bytes, as: UTF8.self)
  }

  private func unset(_ key: String, in text: String) throws -> String {
    var file = try SettingsText(Array(text.utf8), path: "config")
    try file.unset(name(key))
    return String(decoding: file.bytes, as: UTF8.self)
  }

  private static let handWritten = """
    # my settings
    [Fetch]
    \tJobs   =  4      ; a slow line
    \tfuture-key = "kept" # by a later version

    [host "Example.org"]
      proxy = none
    [plugin] colour = red ; same line
    """

  @Test func `only the bytes of the value change`() throws {
    #expect(
      try set("fetch.jobs", "6", in: Self.handWritten)
        == Self.handWritten.replacing("=  4  ", with: "=  6  "))
    #expect(
      try set("host.Example.org.proxy", "http://p:1", in: Self.handWritten)
        == Self.handWritten.replacing("none", with: "http://p:1"))
    #expect(
      try set("plugin.colour", "blue; #1 ", in: Self.handWritten)
        == Self.handWritten.replacing("= red", with: #"= "blue; #1 ""#))
  }

  @Test func `a new line follows the last one of its section, in its form`() throws {
    #expect(
      try set("fetch.quality", "best", in: Self.handWritten)
        == Self.handWritten.replacing(
          "version\n", with: "version\n\tquality = best\n"))
    #expect(
      try set("host.Example.org.budget", "20/10s", in: Self.handWritten)
        == Self.handWritten.replacing("none\n", with: "none\n  budget = 20/10s\n"))
    #expect(
      try set("plugin.size", "2", in: Self.handWritten) == Self.handWritten + "\n\tsize = 2")
  }

  @Test func `a new section is added at the end`() throws {
    #expect(try set("fetch.jobs", "6", in: "") == "[fetch]\n\tjobs = 6\n")
    #expect(
      try set(#"host.a"b\c.proxy"#, "none", in: "# c\n")
        == "# c\n[host \"a\\\"b\\\\c\"]\n\tproxy = none\n")
    #expect(
      try set("alias.tv", "list --show", in: "[a]\nb") == "[a]\nb\n[alias]\n\ttv = list --show")
    #expect(
      try set("fetch.jobs", "6", in: "[a]\r\nb = 1\r\n").hasSuffix("\r\n[fetch]\r\n\tjobs = 6\r\n"))
  }

  @Test func `the last line of a key is the one that changes, and all are removed`() throws {
    let text = "[a]\nb = 1\n[c]\n[A]\nB = 2 # two\n"
    #expect(try set("a.b", "3", in: text) == "[a]\nb = 1\n[c]\n[A]\nB = 3 # two\n")
    #expect(try unset("a.b", in: text) == "[a]\n[c]\n[A]\n")
  }

  @Test func `a section goes with its last line only in the form of set`() throws {
    #expect(try unset("a.b", in: "[a]\n\tb = 1\n") == "")
    #expect(try unset("a.b", in: "[a]\n\tb = 1\n[c]\n") == "[c]\n")
    #expect(try unset("a.b", in: "[a] # c\n\tb = 1\n") == "[a] # c\n")
    #expect(try unset("a.b", in: "[a]\n\tb = 1\n# c\n") == "[a]\n# c\n")
    #expect(try unset("a.b", in: "[a]\n\tb = 1\n\tc = 2\n") == "[a]\n\tc = 2\n")
    #expect(try unset("a.b", in: "[a] b = 1 # c\nc = 2\n") == "[a]\nc = 2\n")
    // A line that continues a value only looks like a header.
    let continued = "[a]\n\tc = 2\\\n[a]\n"
    #expect(try unset("a.b", in: continued + "\tb = 1\n") == continued)
  }

  @Test func `a line can be added to a key whose lines add up`() throws {
    var file = try SettingsText(Array("[a]\nb = 1\n".utf8), path: "config")
    #expect(try file.set(name("a.b"), to: "2", adding: true) == 3)
    #expect(String(decoding: file.bytes, as: UTF8.self) == "[a]\nb = 1\nb = 2\n")
    #expect(file.lines(of: try name("a.b")).map(\.value) == ["1", "2"])
  }

  @Test func `a file with a syntax error is not edited`() throws {
    let failure = try #require(throws: Failure.self) {
      try SettingsText(Array("[a]\n= 1\n".utf8), path: "/home/ann/config")
    }
    #expect(failure.code == .badSetting && failure.summary.contains("'/home/ann/config' line 2"))
  }

  // Texts made of the tokens of the syntax, in any order: what the reader accepts can be edited.
  @Test(arguments: UInt64(1)...40)
  func `of any text, a value that is set is read back, and unset restores the bytes`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var tried = 0
    while tried < 150 {
      let text = Self.tokens(count: Int.random(in: 0...14, using: &random), &random)
      guard let file = try? SettingsText(Array(text.utf8), path: "f") else { continue }
      tried += 1
      let name = try name(try #require(Self.names.randomElement(using: &random)))
      let value = Self.value(&random)
      var edited = file
      let before = file.lines(of: name)
      try edited.set(name, to: value)
      let entries = try SettingsFile(edited.bytes, path: "f").entries
      #expect(entries.last { $0.key == name.text }?.value == value)
      let others = try SettingsFile(file.bytes, path: "f").entries.filter { $0.key != name.text }
      #expect(
        entries.filter { $0.key != name.text }.map { "\($0.key) \($0.value ?? "-")" }
          == others.map { "\($0.key) \($0.value ?? "-")" }, "\(text.debugDescription)")
      try edited.unset(name)
      #expect(edited.lines(of: name).isEmpty)
      if before.isEmpty { #expect(edited.bytes == file.bytes, "\(text.debugDescription)") }
    }
  }

  private static let names = ["a.b", "a.c", "b.x", "a.Sub.b", #"a.q"\.b"#, "new.key"]
  private static let pieces = [
    "[a]", "[A]", "[a \"Sub\"]", #"[a "q\"\\"]"#, "[b]", "[a.c]", "b", "B", "c", "x", "=", " = ",
    "=1",
    "\n", "\n", "\n", "\r\n", "\r", "\t", "  ", "\"", "\\", "\\\n", "\\n", "#", ";", "# c", "v w",
    "\u{FEFF}", "é", "\n\tb = 1\n", "\n[a]\n\tb = 2", "\n[a]\n\tc = 2\n",
  ]

  private static func tokens(count: Int, _ random: inout SeededRandom) -> String {
    (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
  }

  private static func value(_ random: inout SeededRandom) -> String {
    let parts = [
      "", " ", "\t", "\n", "\r", "#", ";", "\"", "\\", "a", "é", "=", "[", "\u{8}", "b c",
    ]
    return (0..<Int.random(in: 0...5, using: &random))
      .compactMap { _ in parts.randomElement(using: &random) }.joined()
  }
}
