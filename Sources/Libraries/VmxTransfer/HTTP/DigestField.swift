import VmxModel

/// Digests of the whole that a server publishes in its headers.
///
/// Of the functions only SHA-256 and SHA-512 count: the others of the registry are deprecated
/// (RFC 9530, section 5). SHA-256 is taken where both are told, since it is made in any case.
enum DigestField {
  /// The digest of the whole: from `Repr-Digest` (RFC 9530: a dictionary of byte sequences between
  /// colons); from `Content-Digest`, where the content is the whole and not coded; or from the
  /// older `Digest` (RFC 3230: a list of base 64). Nil if none has one.
  static func published(_ head: ResponseHead) -> Digest? {
    guard head.contentCoding == nil else { return nil }
    var values = [head["repr-digest"], head["digest"]]
    if head.status == 200 { values.insert(head["content-digest"], at: 1) }
    for algorithm in DigestAlgorithm.allCases {
      for value in values.compactMap({ $0 }) {
        if let digest = digest(algorithm, in: value) { return digest }
      }
    }
    return nil
  }

  /// Of the two forms, members that cannot be read or are of another function are passed over.
  static func digest(_ algorithm: DigestAlgorithm, in value: String) -> Digest? {
    for member in value.split(separator: ",") {
      let pair = member.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == algorithm.rawValue else {
        continue
      }
      // Parameters after a semicolon mean nothing here.
      let text = pair[1].prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
      let inner =
        text.hasPrefix(":") && text.hasSuffix(":") && text.count > 1
        ? text.dropFirst().dropLast() : text[...]
      if let bytes = Base64.bytes(inner), let digest = Digest(algorithm, bytes: bytes) {
        return digest
      }
    }
    return nil
  }
}
