import CCrypto
package import VmxModel

/// Makes SHA-256 digests.
package typealias SHA256Hasher = DigestHasher

/// Digests bytes in their order, through libcrypto.
package struct DigestHasher: ~Copyable {
  /// The function it computes.
  package let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  /// A digest of nothing so far.
  package init(_ algorithm: DigestAlgorithm = .sha256) {
    guard let context = EVP_MD_CTX_new() else { fatalError("out of memory for a digest") }
    self.algorithm = algorithm
    self.context = context
    begin()
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Feeds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      fatalError("libcrypto refuses bytes for a digest that was begun")
    }
  }

  /// Feeds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The SHA-256 of bytes in memory.
  package static func sha256(of bytes: [UInt8]) -> Digest {
    var hasher = DigestHasher()
    hasher.update(bytes)
    return hasher.finish()
  }

  /// The digest of all bytes since the beginning or the last `finish`; begins anew.
  package mutating func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: algorithm.length)
    var count: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &bytes, &count) == 1,
      let digest = Digest(algorithm, bytes: Array(bytes.prefix(Int(count))))
    else { fatalError("libcrypto cannot end a digest that was begun") }
    // Without a function the one that is known goes on; to look it up costs as much as a kilobyte.
    guard EVP_DigestInit_ex(context, nil, nil) == 1 else {
      fatalError("libcrypto cannot begin a digest anew")
    }
    return digest
  }

  private func begin() {
    let function =
      switch algorithm {
      case .sha256: EVP_sha256()
      case .sha512: EVP_sha512()
      }
    guard EVP_DigestInit_ex(context, function, nil) == 1 else {
      fatalError("libcrypto lacks \(algorithm.rawValue)")
    }
  }
}
