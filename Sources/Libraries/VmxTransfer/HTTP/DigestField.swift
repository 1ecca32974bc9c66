import VmxModel

/// Digests of the whole that a server publishes in its headers.
enum DigestField {
  /// The SHA-256 of the whole, from `Repr-Digest` (RFC 9530: a dictionary of byte sequences
  /// between colons) or the older `Digest` (RFC 3230: a list of base 64); nil if neither has one.
  static func sha256(_ head: ResponseHead) -> Digest? {
    if let digest = head["repr-digest"].flatMap(sha256) { return digest }
    return head["digest"].flatMap(sha256)
  }

  /// Of the two forms, members that cannot be read or are of another function are passed over.
  static func sha256(_ value: String) -> Digest? {
    for member in value.split(separator: ",") {
      let pair = member.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "sha-256" else {
        continue
      }
      // Parameters after a semicolon mean nothing here.
      let text = pair[1].prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
      let inner =
        text.hasPrefix(":") && text.hasSuffix(":") ? text.dropFirst().dropLast() : text[...]
      if let bytes = Base64.bytes(inner), let digest = Digest(.sha256, bytes: bytes) {
        return digest
      }
    }
    return nil
  }
}
