import CCrypto
package import VmxModel

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
