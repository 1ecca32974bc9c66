import Testing
import VmxModel

struct DigestTests {
  @Test func `hexadecimal text is read in either case and written in lower case`() throws {
    let text = String(repeating: "0aF9", count: 16)
    let digest = try #require(Digest(.sha256, hex: text))
    #expect(digest.hex == text.lowercased())
    #expect(Digest(.sha256, bytes: digest.bytes) == digest)
  }

  @Test func `a digest of another length is refused`() {
    #expect(Digest(.sha256, hex: String(repeating: "a", count: 62)) == nil)
    #expect(Digest(.sha256, hex: String(repeating: "a", count: 63)) == nil)
    #expect(Digest(.sha256, hex: String(repeating: "g", count: 64)) == nil)
    #expect(Digest(.sha512, bytes: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(Digest(.sha512, bytes: [UInt8](repeating: 0, count: 64)) != nil)
  }

  @Test func `numbers have sixteen digits`() {
    #expect(Hex.text(of: UInt64(0xAB)) == "00000000000000ab")
    #expect(Hex.text(of: [0x00, 0xFF]) == "00ff")
    #expect(Hex.bytes(of: "00fF") == [0, 255])
    #expect(Hex.bytes(of: "") == [])
    #expect(Hex.bytes(of: "0") == nil)
    #expect(Hex.bytes(of: "é") == nil)
  }
}
