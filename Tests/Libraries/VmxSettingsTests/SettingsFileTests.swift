import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

struct SettingsFileTests {
  private func read(_ text: String) throws -> [String] {
    try SettingsFile(text.utf8, path: "config").entries.map { entry in
      guard case .file("config", let line) = entry.origin else { return "?" }
      return "\(line) \(entry.key)" + (entry.value.map { "=\($0)" } ?? "")
    }
  }

  @Test func `sections, subsections and keys form full names`() throws {
    let text = """
      # a comment
      [Network]
      \tAttempts = 3   ; another
      [host "Example.ORG \\"x\\" \\\\"]
        jobs=2
      [a.B] c = d
      """
    #expect(
      try read(text) == [
        "3 network.attempts=3", #"5 host.Example.ORG "x" \.jobs=2"#, "6 a.b.c=d",
      ])
  }

  @Test func `a key alone has no value and an empty value is empty`() throws {
    #expect(try read("[a]\nb\nc =\nd # x\ne=#x\n") == ["2 a.b", "3 a.c=", "4 a.d", "5 a.e="])
  }

  @Test func `a key may occur more than once, in its order`() throws {
    #expect(try read("[a]\nb=1\n[c]\nd=2\n[a]\nb=3") == ["2 a.b=1", "4 c.d=2", "6 a.b=3"])
  }

  @Test(arguments: [
    ("  two  words \t", "two  words"), (#""  quoted # ; ""#, "  quoted # ; "),
    (#"a" b "c"#, "a b c"), (#"x\n\t\b\"\\y"#, "x\n\t\u{8}\"\\y"), ("a=b=c", "a=b=c"),
    (#"kept\t "#, "kept\t"), ("one#two", "one"), ("é ü", "é ü"),
    (#""" x"#, "x"), ("\"a\" ", "a"),
  ])
  func `values are stripped of quotes, escapes and comments`(text: String, value: String) throws {
    #expect(
      try SettingsFile("[a]\nb =\(text)\n".utf8, path: "").entries.map(\.value) == [value])
  }

  @Test func `a backslash at the end of a line continues it on the next`() throws {
    #expect(
      try read("[a]\nb = one \\\n  two\nc = \"x\\\ny\"\nd=1") == [
        "2 a.b=one   two", "4 a.c=xy", "6 a.d=1",
      ])
  }

  @Test func `CRLF and a byte order mark are accepted`() throws {
    #expect(
      try read("\u{FEFF}[a]\r\nb = x \r\nc\r\nd = y\\\r\nz\r\n") == [
        "2 a.b=x", "3 a.c", "4 a.d=yz",
      ]
    )
  }

  @Test func `an empty file contains no settings`() throws {
    #expect(try read("").isEmpty)
    #expect(try read("\n  \n; only\n[a]\n").isEmpty)
  }

  @Test(arguments: [
    ("[a]\nb = \"x\ny\"", 2), ("[a\nb=1", 1), ("[]", 1), ("[a \"b]\n", 1), ("[a \"b\"", 1),
    ("b = 1", 1), ("[a]\n\n!", 3), ("[a]\n1b = 2", 2), ("[a]\nb c", 2), ("[a]\nb = \\x", 2),
    ("[a]\nb = \\", 2), ("[a]\nb = x\0y", 2), ("[a]\nb = 1\nb_c = 2", 3),
  ])
  func `an error is reported with file and line`(text: String, line: Int) throws {
    let failure = try #require(throws: Failure.self) {
      try SettingsFile(text.utf8, path: "/etc/xdg/vmx/config")
    }
    #expect(failure.code == .badSetting)
    #expect(failure.summary.hasPrefix("'/etc/xdg/vmx/config' line \(line): "), "\(failure.summary)")
  }

  @Test func `bytes that are not text are refused`() {
    #expect(code { try SettingsFile(Array("[a]\nb=".utf8) + [0xFF], path: "") } == .badSetting)
  }

  @Test func `any bytes are either read or refused`() {
    var random = SeededRandom(seed: 21)
    let bytes = Array("[]\"\\=#;\n\r ab.-\0".utf8)
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<40, using: &random)
      let text = (0..<count).compactMap { _ in bytes.randomElement(using: &random) }
      _ = code { try SettingsFile(text, path: "") }
    }
  }
}
