package import VmxModel

/// A whole file, written to the partial file but not yet flushed: the caller makes it durable.
package struct TransferResult: Sendable, Equatable {
  /// The size of the whole.
  package var size: ByteCount
  /// The SHA-256 of the whole, computed during the transfer.
  package var sha256: Digest
  /// The SHA-256 of each 4 MiB segment in order; the last one may be shorter.
  package var segments: [Digest]
  /// The kind of evidence for the bytes.
  package var proof: Proof
  /// The media type sent by the server, such as `video/mp4`, without parameters.
  package var contentType: String?
  /// The version of the source that the bytes belong to.
  package var version: FetchedVersion
  /// The character encoding of a text, as sent by the server.
  package var charset: String?
  /// The index of the job's source that delivered the bytes.
  package var sourceIndex: Int
  /// The number of HTTP requests sent, redirects and probes included; 0 if everything was held
  /// already.
  package var requests: Int
}
