/// The digest algorithms accepted for verification (RFC 9530, "active").
package enum DigestAlgorithm: String, Sendable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"

  /// The length of a digest in bytes.
  package var length: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    }
  }
}

/// A digest with its algorithm.
package struct Digest: Sendable, Hashable {
  /// The algorithm.
  package let algorithm: DigestAlgorithm
  /// The bytes of the digest; their number is the algorithm's length.
  package let bytes: [UInt8]

  /// Creates a digest; nil if the number of bytes does not fit the algorithm.
  package init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.length else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Parses hexadecimal text of either case; nil if it is not a digest of that algorithm.
  package init?(_ algorithm: DigestAlgorithm, hex: some StringProtocol) {
    guard let bytes = Hex.bytes(of: hex) else { return nil }
    self.init(algorithm, bytes: bytes)
  }

  /// The digest as lower-case hexadecimal text.
  package var hex: String { Hex.text(of: bytes) }
}
