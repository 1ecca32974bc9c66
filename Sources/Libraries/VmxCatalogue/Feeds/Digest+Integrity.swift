import VmxModel

extension Digest {
  /// Parses the SHA-256 of a value of Subresource Integrity, such as `sha256-BASE64`; nil if there is
  /// none. Stronger digests beside it are of no use here: published digests are SHA-256.
  init?(integrity text: String) {
    for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("sha256-") {
      let value = word.dropFirst("sha256-".count).prefix { $0 != "?" }
      if let digest = Digest(.sha256, base64: value) {
        self = digest
        return
      }
    }
    return nil
  }
}
