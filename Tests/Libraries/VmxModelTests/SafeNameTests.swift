import Testing
import VmxModel
import VmxTestSupport

struct SafeNameTests {
  @Test(arguments: [
    ("Star Trek: Picard", "Star Trek - Picard"), ("12:30", "12-30"), ("a : b", "a - b"),
    ("A/B\\C|D", "A-B-C-D"), ("Who? *What* <b>", "Who What b"), ("say \"hi\"", "say 'hi'"),
    ("..hidden", "hidden"), ("-rf", "rf"), ("trailing. . ", "trailing"), ("", ""), ("...", ""),
    ("a\nb\tc  d", "a b c d"), ("nul\0byte\u{1B}[31m", "nulbyte[31m"),
    ("\u{202E}evil\u{200B}", "evil"), ("👩‍👩‍👧 family", "👩‍👩‍👧 family"),
    ("CON", "CON_"), ("nul.txt", "nul_.txt"), ("Com1", "Com1_"), ("lpt¹.a", "lpt¹_.a"),
    ("aux .x", "aux _.x"), ("Console", "Console"), ("com", "com"), ("COM10", "COM10"),
    ("new \u{E0FFF}\u{FFFE}x", "new \u{E0FFF}x"), ("Ünïcödé – ok", "Ünïcödé – ok"),
  ])
  func `a component is safe on every file system`(text: String, name: String) {
    #expect(SafeName.component(text) == name)
    #expect(SafeName.component(name) == name)
  }

  @Test func `ASCII characters are kept, replaced or dropped as the tables of Unicode say`() {
    for value in UInt8(0)..<128 {
      let scalar = Unicode.Scalar(value)
      let name = SafeName.component("a\(scalar)b")
      if scalar.properties.isWhitespace {
        #expect(name == "a b")
      } else if scalar.properties.generalCategory == .control || "*?<>".contains(Character(scalar))
      {
        #expect(name == "ab")
      } else {
        #expect(name.unicodeScalars.count == 3)
      }
    }
  }

  @Test func `a truncation counts bytes and splits no character`() {
    #expect(SafeName.component("ééééé", limit: 5) == "éé")
    #expect(SafeName.component("ab 👩‍👩‍👧", limit: 10) == "ab")
    #expect(SafeName.component(String(repeating: "x", count: 300)).utf8.count == 255)
    #expect(SafeName.component("abc", limit: 0) == "")
  }
}
