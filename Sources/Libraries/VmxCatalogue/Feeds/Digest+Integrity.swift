import VmxModel

extension Digest {
  /// Parses the SHA-256 of a Subresource Integrity value, such as `sha256-BASE64`. Returns nil if
  /// there is none. Stronger digests are ignored, since vmx records published digests as SHA-256.
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
