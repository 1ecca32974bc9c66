import VmxDigest
import VmxModel

/// Compares the content of one range response with its `Content-Digest` (RFC 9530) as it arrives.
final class ContentCheck {
  private let expected: Digest
  private var hasher: DigestHasher

  /// Creates the check of a response; nil if it is no range or has no such digest.
  init?(_ head: ResponseHead) {
    guard head.status == 206, let field = head["content-digest"],
      let expected = DigestField.digest(in: [field])
    else { return nil }
    self.expected = expected
    hasher = DigestHasher(expected.algorithm)
  }

  /// Adds received bytes.
  func update(_ bytes: [UInt8]) { hasher.update(bytes) }

  /// Ends the digest, once all bytes were received.
  ///
  /// - Throws: `range-broken` if it differs.
  func verify(_ url: String) throws(TransferError) {
    let found = hasher.finish()
    guard found == expected else {
      throw .rangeBroken(
        url: url, detail: "its content has the digest \(found.hex), declared \(expected.hex)")
    }
  }
}
