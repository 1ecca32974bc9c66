import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct DigestFieldTests {
  private static let bytes = [UInt8](0..<32)
  private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

  @Test(arguments: [
    "sha-256=:\(text):", "SHA-256=\(text)", "md5=:AAAA:, sha-256=:\(text):;q=1",
    "unknown=:x:,sha-256=:\(text):",
  ])
  func `both forms are read`(_ value: String) {
    #expect(DigestField.sha256(value) == Digest(.sha256, bytes: Self.bytes))
  }

  @Test(arguments: ["", "sha-256", "sha-256=::", "sha-256=:AAAA:", "sha-512=:AAAA:", "sha-256=:?:"])
  func `what is no digest of ours is passed over`(_ value: String) {
    #expect(DigestField.sha256(value) == nil)
  }

  @Test(
    arguments: [
      ("", []), ("Zg==", [0x66]), ("Zg", [0x66]), ("Zm9v", [0x66, 0x6f, 0x6f]),
      ("+/+/", [0xfb, 0xff, 0xbf]),
    ] as [(String, [UInt8])])
  func `base 64 is read`(_ text: String, _ bytes: [UInt8]) {
    #expect(Base64.bytes(text) == bytes)
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "=", "Z-9v", "Zm9v="])
  func `what is no base 64 is refused`(_ text: String) {
    #expect(Base64.bytes(text) == nil)
  }
}
