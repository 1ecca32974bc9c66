import CCrypto
import Glibc
package import VmxModel

/// The hasher for SHA-256 digests.
package typealias SHA256Hasher = DigestHasher

/// A hasher of bytes in order, through libcrypto.
package struct DigestHasher: ~Copyable {
  /// The digest algorithm.
  package let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  /// Creates a hasher without input.
  package init(_ algorithm: DigestAlgorithm = .sha256) {
    guard let context = EVP_MD_CTX_new() else { fatalError("out of memory for a digest") }
    self.algorithm = algorithm
    self.context = context
    begin()
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Appends bytes to the input.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      fatalError("libcrypto refuses bytes for a digest that was begun")
    }
  }

  /// Appends bytes to the input.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Returns the SHA-256 of bytes in memory.
  package static func sha256(of bytes: [UInt8]) -> Digest {
    var hasher = DigestHasher()
    hasher.update(bytes)
    return hasher.finish()
  }

  /// Returns the digest of all bytes since the beginning or the last `finish`, and resets the
  /// hasher.
  package mutating func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: algorithm.length)
    var count: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &bytes, &count) == 1,
      let digest = Digest(algorithm, bytes: Array(bytes.prefix(Int(count))))
    else { fatalError("libcrypto cannot end a digest that was begun") }
    // A nil algorithm keeps the current one; looking it up again costs as much as hashing a
    // kilobyte.
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

/// The reason why a file could not be digested.
package enum DigestError: CodedError, Equatable {
  /// A read at an offset failed with this errno.
  case unreadable(offset: Int64, errno: Int32)
  /// The file is shorter than expected.
  case tooShort(expected: Int64, found: Int64)

  package var code: ErrorCode {
    switch self {
    case .unreadable: .mediaUnwritable
    case .tooShort: .partLost
    }
  }

  package var summary: String {
    switch self {
    case .unreadable(let offset, let errno):
      "cannot read at byte \(offset) for a digest: \(Self.message(for: errno))"
    case .tooShort(let expected, let found):
      "the file ends at byte \(found), expected at least \(expected)"
    }
  }

  /// Returns the system's error message, beginning in lower case.
  private static func message(for errno: Int32) -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
