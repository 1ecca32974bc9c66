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
    #expect(DigestField.digest(.sha256, in: value) == Digest(.sha256, bytes: Self.bytes))
  }

  private func published(_ status: Int, _ fields: (String, String)...) -> Digest? {
    DigestField.published(
      ResponseHead(
        version: "1.1", status: status, fields: fields.map { .init(name: $0, value: $1) }))
  }

  @Test func `the digest of the content is used if the content is the whole`() {
    let field = ("content-digest", "sha-256=:\(Self.text):")
    #expect(published(200, field) == Digest(.sha256, bytes: Self.bytes))
    #expect(published(206, field) == nil)
    #expect(published(206, field, ("content-range", "bytes 0-31/33")) == nil)
    #expect(
      published(206, field, ("content-range", "bytes 0-31/32"))
        == Digest(.sha256, bytes: Self.bytes))
    #expect(published(200, field, ("content-encoding", "gzip")) == nil)
  }

  @Test func `SHA-512 is used if there is no SHA-256`() {
    let long = [UInt8](repeating: 0, count: 64)
    let field = "sha-512=:\(String(repeating: "A", count: 86))==:"
    #expect(published(206, ("repr-digest", field)) == Digest(.sha512, bytes: long))
    let both = "\(field), sha-256=:\(Self.text):"
    #expect(published(200, ("repr-digest", both)) == Digest(.sha256, bytes: Self.bytes))
  }

  @Test(arguments: ["md5", "sha", "crc32c", "unixsum", "adler", "id-sha-256"])
  func `deprecated functions are ignored`(_ name: String) {
    #expect(published(200, ("repr-digest", "\(name)=:\(Self.text):")) == nil)
  }

  @Test(arguments: [
    "", "sha-256", "sha-256=:", "sha-256=::", "sha-256=:AAAA:", "sha-512=:AAAA:", "sha-256=:?:",
  ])
  func `unsupported digests are skipped`(_ value: String) {
    #expect(DigestField.digest(.sha256, in: value) == nil)
  }
}
