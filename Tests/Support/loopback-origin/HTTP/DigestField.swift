import VmxDigest
import VmxModel

/// Header fields that publish a digest of the whole file, whichever range of it is sent, or of a
/// range.
enum DigestField {
  /// Returns the value for `Repr-Digest` or `Content-Digest` (RFC 9530) or `Digest` (RFC 3230).
  static func value(
    _ field: String, of content: Content, _ range: Range<Int64>? = nil, _ kind: BodyFaults.Digest
  ) -> String {
    let range = range ?? 0..<content.size
    var hasher = SHA256Hasher()
    // The digest of different bytes serves as a wrong digest.
    if kind == .wrong { hasher.update([0]) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let end = min(range.upperBound, offset + (1 << 20))
      hasher.update(content.bytes(offset..<end))
      offset = end
    }
    let text = Base64.text(of: hasher.finish().bytes)
    return field == "Digest" ? "SHA-256=\(text)" : "sha-256=:\(text):"
  }
}
