package import VmxModel

/// A whole file, written to the partial file but not yet flushed: the caller makes it durable.
package struct TransferResult: Sendable, Equatable {
  /// Bytes of the whole.
  package var size: ByteCount
  /// SHA-256 of the whole, made while the bytes passed.
  package var sha256: Digest
  /// SHA-256 of each 4 MiB segment in order, the last one shorter.
  package var segments: [Digest]
  /// How far the bytes are trusted.
  package var proof: Proof
  /// What the server called them, such as `video/mp4`, without parameters.
  package var contentType: String?
  /// Which version of that source they are.
  package var version: FetchedVersion
  /// How the server says that a text is encoded.
  package var charset: String?
  /// Which of the job's sources gave them.
  package var sourceIndex: Int
  /// HTTP requests made, redirects and probes included; 0 if everything was held already.
  package var requests: Int
}
