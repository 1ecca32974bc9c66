import VmxDigest
import VmxModel

/// The digest of the whole that a server publishes in its headers.
///
/// Only SHA-256 and SHA-512 count: the other functions of the registry are deprecated (RFC 9530,
/// section 5). SHA-256 is preferred, since it is computed in any case.
enum DigestField {
  /// The published digest of the whole; nil if there is none. It is read from:
  ///
  /// - `Repr-Digest` (RFC 9530: a dictionary of byte sequences between colons);
  /// - `Content-Digest`, if the content is the whole and has no coding;
  /// - the older `Digest` (RFC 3230: a list of base 64).
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

  /// Finds a digest in a field of either form; skips unreadable members and those of other
  /// functions.
  static func digest(_ algorithm: DigestAlgorithm, in value: String) -> Digest? {
    for member in value.split(separator: ",") {
      let pair = member.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == algorithm.rawValue else {
        continue
      }
      // Parameters after a semicolon have no meaning here.
      let text = pair[1].prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
      let inner =
        text.hasPrefix(":") && text.hasSuffix(":") && text.count > 1
        ? text.dropFirst().dropLast() : text[...]
      if let digest = Digest(algorithm, base64: inner) { return digest }
    }
    return nil
  }
}
