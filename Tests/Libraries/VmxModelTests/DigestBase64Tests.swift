import Testing

@testable import VmxModel

struct DigestBase64Tests {
  @Test(
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zg", [0x66]), ("Zm8=", [0x66, 0x6f]), ("Zm8", [0x66, 0x6f]),
      ("Zm9v", [0x66, 0x6f, 0x6f]), ("+/+/", [0xfb, 0xff, 0xbf]), ("AAAA", [0, 0, 0]),
      ("Zm9vZg==", [0x66, 0x6f, 0x6f, 0x66]),
    ] as [(String, [UInt8])])
  func `a Base64 digest is read with and without padding`(_ text: String, _ bytes: [UInt8]) {
    #expect(base64Decoded(text) == bytes)
  }

  // libcrypto alone would accept blanks, a final hyphen, and padding in the middle.
  @Test(arguments: [
    "Z", "Zg=", "Zg===", "=", "==", "Z-9v", "Zm9v=", "Zg==Zg==", "Zm=v", " Zm9v", "Zm9v ", "Zm9v\n",
    "Zm9-", "Zm9v----", "Zm 9", "Zm\0v", "\u{FF}m9v", "====",
  ])
  func `other texts are refused`(_ text: String) {
    #expect(base64Decoded(text) == nil)
  }

  @Test func `only the length of the algorithm is a valid digest`() {
    let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    #expect(Digest(.sha256, base64: text)?.bytes == [UInt8](0..<32))
    #expect(Digest(.sha256, base64: text.dropLast())?.bytes == [UInt8](0..<32))
    #expect(Digest(.sha512, base64: text) == nil)
  }
}
