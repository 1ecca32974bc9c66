import CCrypto

/// The algorithms of manifests that vmx can verify (RFC 8493, section 2.4). The old ones detect
/// only accidental damage; `DigestAlgorithm` lists those that vmx accepts as a proof.
package enum ManifestAlgorithm: String, Sendable, CaseIterable {
  case md5, sha1, sha224, sha256, sha384, sha512

  /// The length of a digest in bytes.
  package var length: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  fileprivate var function: OpaquePointer? {
    switch self {
    case .md5: EVP_md5()
    case .sha1: EVP_sha1()
    case .sha224: EVP_sha224()
    case .sha256: EVP_sha256()
    case .sha384: EVP_sha384()
    case .sha512: EVP_sha512()
    }
  }
}

/// A hasher of bytes in order by several algorithms at once.
package final class ManifestHasher {
  private let contexts: [(algorithm: ManifestAlgorithm, context: OpaquePointer)]

  /// Creates a hasher without input.
  package init(_ algorithms: Set<ManifestAlgorithm>) {
    contexts = algorithms.map { algorithm in
      guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, algorithm.function, nil) == 1
      else { fatalError("libcrypto lacks \(algorithm.rawValue) or memory") }
      return (algorithm, context)
    }
  }

  deinit {
    for (_, context) in contexts { EVP_MD_CTX_free(context) }
  }

  /// Appends bytes to the input.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    for (_, context) in contexts
    where EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 {
      fatalError("libcrypto refuses bytes for a digest that was begun")
    }
  }

  /// Returns the digests of all bytes since the beginning or the last `finish`, and resets the
  /// hasher.
  package func finish() -> [ManifestAlgorithm: [UInt8]] {
    var digests: [ManifestAlgorithm: [UInt8]] = [:]
    for (algorithm, context) in contexts {
      var bytes = [UInt8](repeating: 0, count: algorithm.length)
      guard EVP_DigestFinal_ex(context, &bytes, nil) == 1,
        EVP_DigestInit_ex(context, nil, nil) == 1
      else { fatalError("libcrypto cannot end a digest that was begun") }
      digests[algorithm] = bytes
    }
    return digests
  }
}
