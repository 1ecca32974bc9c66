import Testing

@testable import VmxModel

@Suite struct ArgumentTextTests {
  @Test(arguments: ["", "plain", "Köln\u{301}", "\u{10FF7F}", "a=b", "\u{FFFD}"])
  func `valid text represents itself`(text: String) {
    #expect(ArgumentText.text(of: Array(text.utf8)) == text)
    #expect(!ArgumentText.carriesBytes(text))
    #expect(ArgumentText.shown(text) == text)
  }

  @Test(
    arguments: [
      [0xFF], [0x80], [0x61, 0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xED, 0xA0, 0x80],
      [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
      [0xC3, 0xBC, 0xFF, 0xC3, 0xBC],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 survive the conversion to text`(bytes: [UInt8]) {
    let text = ArgumentText.text(of: bytes)
    #expect(ArgumentText.carriesBytes(text))
    #expect(ArgumentText.bytes(of: text) == bytes)
  }

  @Test func `every pair of bytes survives`() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        let text = ArgumentText.text(of: [first, second])
        #expect(ArgumentText.bytes(of: text) == [first, second])
      }
    }
  }

  @Test func `ASCII characters keep their meaning beside invalid bytes`() {
    let text = ArgumentText.text(of: Array("--from=a".utf8) + [0xFF] + Array("b".utf8))
    #expect(text.hasPrefix("--from=a"))
    #expect(text.hasSuffix("b"))
  }

  @Test func `messages show invalid bytes in hexadecimal`() {
    let text = ArgumentText.text(of: Array("bad".utf8) + [0xFF] + Array(".mp4".utf8))
    #expect(ArgumentText.shown(text) == #"bad\xff.mp4"#)
  }
}
