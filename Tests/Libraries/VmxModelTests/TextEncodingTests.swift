import Testing
import VmxModel

struct TextEncodingTests {
  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x31], "utf-8", 3), ([0xFF, 0xFE, 0, 0], "utf-32le", 4),
      ([0, 0, 0xFE, 0xFF], "utf-32be", 4), ([0xFF, 0xFE, 0x31, 0], "utf-16le", 2),
      ([0xFE, 0xFF, 0, 0x31], "utf-16be", 2),
    ] as [([UInt8], String, Int)])
  func `a byte order mark determines the encoding`(bytes: [UInt8], name: String, mark: Int) {
    #expect(TextEncoding.marked(bytes)?.name == name)
    #expect(TextEncoding.marked(bytes)?.mark == mark)
    #expect(TextEncoding.marked([0x31, 0x0A]) == nil)
  }

  @Test(
    arguments: [
      (nil, nil, ["windows-1252"]), ("ISO-8859-1", "ru", ["windows-1252", "windows-1251"]),
      ("koi8-r", "ru", ["koi8-r", "windows-1251", "windows-1252"]),
      (nil, "cs-CZ", ["windows-1250", "windows-1252"]), (nil, "zh-TW", ["big5", "windows-1252"]),
      (nil, "zh-Hans", ["gb18030", "windows-1252"]),
      ("windows-1257", nil, ["windows-1257", "windows-1252"]),
      ("utf-7", nil, ["windows-1252"]), ("windows-1252//TRANSLIT", nil, ["windows-1252"]),
      ("windows-1259", "en", ["windows-1252"]), ("../../evil", nil, ["windows-1252"]),
    ] as [(String?, String?, [String])])
  func `the guesses are tried in order, and unknown names are skipped`(
    charset: String?, language: String?, wanted: [String]
  ) {
    #expect(TextEncoding.guesses(charset: charset, language: language) == wanted)
  }
}
