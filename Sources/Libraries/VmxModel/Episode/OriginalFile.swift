/// The bytes of a part as received, where the part is stored in converted form.
///
/// The file lies in the root's folder `.vmx/originals`, named by its digest.
package struct OriginalFile: Sendable, Equatable {
  /// The SHA-256 of the received file; a published digest describes these bytes.
  package var sha256: Digest
  /// The size of the received file in bytes.
  package var size: ByteCount
  /// The text encoding, as an iconv name.
  package var encoding: String

  /// Creates the description of a received file.
  package init(sha256: Digest, size: ByteCount, encoding: String) {
    self.sha256 = sha256
    self.size = size
    self.encoding = encoding
  }
}
