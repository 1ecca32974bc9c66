import Testing
import VmxPresentation

@Suite struct TerminalTextTests {
  @Test func `plain text in any script is unchanged`() {
    #expect(TerminalText.escaped("Ça va — 日本語 🎬") == "Ça va — 日本語 🎬")
  }

  @Test(arguments: [
    ("a\u{1b}[2Jb", #"a\x1b[2Jb"#), ("a\nb\tc\rd", #"a\nb\tc\rd"#), ("\u{0}\u{7f}", #"\x00\x7f"#),
    ("\u{9b}31m", #"\u009b31m"#), ("a\u{202e}b", #"a\u202eb"#),
    ("\u{2066}x\u{2069}", #"\u2066x\u2069"#),
    ("a\u{2028}b", #"a\u2028b"#), ("a\r\nb", #"a\r\nb"#),
  ])
  func `control characters are escaped visibly`(text: String, shown: String) {
    #expect(TerminalText.escaped(text) == shown)
  }
}
