import Testing
import VmxDigest
import VmxModel

/// The examples of FIPS 180-4 and the longer ones published by NIST.
@Suite struct DigestHasherTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `sha-256 agrees with the published examples`(text: String, hex: String) {
    var hasher = SHA256Hasher()
    hasher.update(Array(text.utf8))
    #expect(hasher.finish().hex == hex)
  }

  @Test func `sha-512 agrees with the published example`() {
    var hasher = DigestHasher(.sha512)
    hasher.update(Array("abc".utf8))
    let digest = hasher.finish()
    #expect(digest.hex.hasPrefix("ddaf35a193617abacc417349ae204131"))
    #expect(digest.bytes.count == 64)
  }

  @Test func `a million bytes in uneven pieces have the digest of the whole`() {
    var hasher = SHA256Hasher()
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      let count = min(piece, left)
      hasher.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
      left -= count
      piece = piece * 3 + 1
    }
    #expect(
      hasher.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `a finished hasher starts again`() {
    var hasher = SHA256Hasher()
    hasher.update([1, 2, 3])
    _ = hasher.finish()
    let digest = hasher.finish()
    #expect(digest.hex.hasPrefix("e3b0c442"))
  }
}
