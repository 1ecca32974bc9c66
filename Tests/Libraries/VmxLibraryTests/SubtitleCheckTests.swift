@testable import VmxLibrary
import Testing
import VmxModel
import VmxTestSupport

struct SubtitleCheckTests {
  private func text(
    _ bytes: [UInt8], charset: String? = nil, language: String? = nil
  ) -> (text: String, encoding: String)? {
    SubtitleCheck.text(of: bytes, charset: charset, language: language)
      .map { (String(decoding: $0.text, as: UTF8.self), $0.encoding) }
  }

  @Test func `UTF-8 text is kept byte for byte`() {
    let bytes = Array("1\r\nGrüße\r\n".utf8)
    #expect(SubtitleCheck.text(of: bytes, charset: "koi8-r", language: "ru")?.text == bytes)
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x31, 0x0D, 0x0A, 0x0D], nil, nil, "1\n\n", "utf-8"),
      ([0xFF, 0xFE, 0x31, 0, 0x0D, 0, 0x0A, 0], nil, nil, "1\n", "utf-16le"),
      ([0xCF], "koi8-r", "cs", "о", "koi8-r"), ([0xEF], nil, "ru", "п", "windows-1251"),
      ([0x81], nil, "ja", nil, nil), ([0xE9, 0x0D, 0x0A], nil, nil, "é\n", "windows-1252"),
      ([0xEF, 0xBB, 0xBF, 0xE9], nil, nil, nil, nil),
    ] as [([UInt8], String?, String?, String?, String?)])
  func `other text is converted to UTF-8, and the guessed encoding is reported`(
    bytes: [UInt8], charset: String?, language: String?, wanted: String?, encoding: String?
  ) {
    let found = text(bytes, charset: charset, language: language)
    #expect(found?.text == wanted)
    #expect(found?.encoding == encoding)
  }

  @Test(
    .disabled(if: !RealData.isHere, "\(RealData.absence)"),
    arguments: [
      ("windows-1252.srt", "windows-1252"), ("bom-utf-16-be.srt", "utf-16be"),
      ("bom-utf-32-be.srt", "utf-32be"), ("bom-utf-8.srt", "utf-8"), ("no-indexes.srt", "utf-8"),
    ])
  func `real files become UTF-8`(name: String, encoding: String) throws {
    let bytes = try RealData.bytes("subtitles/pysrt/\(name)")
    let found = try #require(SubtitleCheck.text(of: bytes, charset: nil, language: "fr"))
    #expect(found.encoding == encoding)
    #expect(SubtitleFormat(of: found.text) == .srt)
    #expect(found.text != bytes)
  }
}
