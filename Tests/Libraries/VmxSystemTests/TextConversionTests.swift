import Testing
import VmxSystem

struct TextConversionTests {
  private func text(_ bytes: [UInt8], _ encoding: String) -> String? {
    convertedToUTF8(bytes[...], from: encoding).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ([0x43, 0x61, 0x66, 0xE9], "windows-1252", "Café"), ([0x80], "windows-1252", "€"),
      ([0xEF, 0xF0, 0xE8], "windows-1251", "при"), ([0xBE], "windows-1250", "ľ"),
      ([0x31, 0, 0xE9, 0], "utf-16le", "1é"), ([0xD8, 0x3D, 0xDE, 0], "utf-16be", "😀"),
      ([0, 0, 0, 0x31], "utf-32be", "1"), ([0xB0, 0xA1], "euc-kr", "가"),
      ([0x82, 0xA0], "shift_jis", "あ"), ([0xA4, 0xA4], "big5", "中"),
      ([0xD6, 0xD0], "gb18030", "中"),
    ] as [([UInt8], String, String)])
  func `texts become UTF-8`(bytes: [UInt8], encoding: String, wanted: String) {
    #expect(text(bytes, encoding) == wanted)
  }

  @Test func `a text longer than one piece is converted completely`() {
    let many = [UInt8](repeating: 0xE9, count: 100_001)
    #expect(text(many, "windows-1252") == String(repeating: "é", count: 100_001))
    #expect(text([], "windows-1252") == "")
  }

  @Test(
    arguments: [
      ([0x81], "windows-1252"), ([0x31], "utf-16le"), ([0x00, 0xD8, 0x31, 0], "utf-16le"),
      ([0x31], "no-such-encoding"), ([0x82], "shift_jis"),
    ] as [([UInt8], String)])
  func `an invalid text of the encoding is refused`(bytes: [UInt8], encoding: String) {
    #expect(text(bytes, encoding) == nil)
  }
}
