/// The digest functions that count as proof (RFC 9530, "active").
package enum DigestAlgorithm: String, Sendable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"

  /// Bytes in a digest.
  package var length: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    }
  }
}

/// A digest of some bytes.
package struct Digest: Sendable, Hashable {
  /// The function that made it.
  package let algorithm: DigestAlgorithm
  /// As many bytes as the function gives.
  package let bytes: [UInt8]

  /// A digest; nil if the number of bytes is not that of the function.
  package init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.length else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads hexadecimal text of either case; nil if it is not a digest of that function.
  package init?(_ algorithm: DigestAlgorithm, hex: some StringProtocol) {
    guard let bytes = Hex.bytes(of: hex) else { return nil }
    self.init(algorithm, bytes: bytes)
  }

  /// Lower-case hexadecimal text.
  package var hex: String { Hex.text(of: bytes) }
}
