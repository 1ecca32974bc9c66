import VmxDigest
import VmxModel

/// Header fields that publish a digest of the whole file, whichever range of it is sent.
enum DigestField {
  /// Returns the value for `Repr-Digest` (RFC 9530) or `Digest` (RFC 3230).
  static func value(_ field: String, of content: Content, _ kind: BodyFaults.Digest) -> String {
    var hasher = SHA256Hasher()
    // The digest of different bytes serves as a wrong digest.
    if kind == .wrong { hasher.update([0]) }
    var offset: Int64 = 0
    while offset < content.size {
      let end = min(content.size, offset + (1 << 20))
      hasher.update(content.bytes(offset..<end))
      offset = end
    }
    let text = Base64.text(of: hasher.finish().bytes)
    return field == "Digest" ? "SHA-256=\(text)" : "sha-256=:\(text):"
  }
}
