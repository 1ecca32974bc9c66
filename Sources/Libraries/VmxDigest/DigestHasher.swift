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

/// The reason for which a file could not be digested.
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
      "cannot read at byte \(offset) for a digest: \(Self.words(for: errno))"
    case .tooShort(let expected, let found):
      "the file ends at byte \(found), expected at least \(expected)"
    }
  }

  /// Returns the system's error message, beginning in lower case.
  private static func words(for errno: Int32) -> String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension Digest {
  /// Parses Base 64 with the standard alphabet (RFC 4648, section 4); nil if it is not a digest of
  /// that algorithm. Padding may be missing (RFC 9651 lets readers be lenient).
  package init?(_ algorithm: DigestAlgorithm, base64 text: some StringProtocol) {
    guard let bytes = base64Decoded(text) else { return nil }
    self.init(algorithm, bytes: bytes)
  }
}

/// Decodes Base 64; nil if the text is none.
///
/// libcrypto requires padding, counts it as bytes, ignores blanks and a final hyphen, and accepts
/// padding in the middle. So the characters and the padding are checked before.
func base64Decoded(_ text: some StringProtocol) -> [UInt8]? {
  var digits = Array(text.utf8)
  let length = digits.count
  while digits.last == UInt8(ascii: "="), length - digits.count < 2 { digits.removeLast() }
  let isAlphabet = digits.allSatisfy { digit in
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
  guard isAlphabet, digits.count % 4 != 1, digits.count == length || length.isMultiple(of: 4)
  else { return nil }
  let count = digits.count * 3 / 4
  while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
  var bytes = [UInt8](repeating: 0, count: digits.count / 4 * 3)
  guard digits.isEmpty || EVP_DecodeBlock(&bytes, digits, Int32(digits.count)) >= 0 else {
    return nil
  }
  return Array(bytes[..<count])
}
