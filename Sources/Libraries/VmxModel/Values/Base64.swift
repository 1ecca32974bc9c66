extension Digest {
  /// Parses Base 64 with the standard alphabet (RFC 4648, section 4); nil if it is not a digest of
  /// that algorithm. Padding may be missing (RFC 9651 lets readers be lenient).
  package init?(_ algorithm: DigestAlgorithm, base64 text: some StringProtocol) {
    guard let bytes = base64Decoded(text) else { return nil }
    self.init(algorithm, bytes: bytes)
  }
}

/// Decodes Base 64; nil for any other text. Padding may be missing, but not be wrong.
package func base64Decoded(_ text: some StringProtocol) -> [UInt8]? {
  var digits = Array(text.utf8)
  let length = digits.count
  while digits.last == UInt8(ascii: "="), length - digits.count < 2 { digits.removeLast() }
  guard digits.count % 4 != 1, digits.count == length || length.isMultiple(of: 4) else {
    return nil
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(digits.count * 3 / 4)
  var (bits, count): (UInt32, UInt32) = (0, 0)
  for digit in digits {
    guard let value = base64Value(digit) else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    guard count >= 8 else { continue }
    count -= 8
    bytes.append(UInt8(truncatingIfNeeded: bits >> count))
  }
  return bytes
}

private func base64Value(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
