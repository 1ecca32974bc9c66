// Arguments are bytes, but the option parser takes text. A byte that is not part of valid UTF-8 is
// encoded as a scalar of a private range. Byte b becomes U+10FF00 + b, so that 0x80 to 0xFF become
// U+10FF80 to U+10FFFF. Scalars of that range in the argument itself are encoded byte by byte as
// well, so that decoding is exact. Python's 'surrogateescape' does the same with lone surrogates,
// which a Swift string cannot hold.

/// Text that encodes the bytes of a command-line argument, valid UTF-8 or not.
package enum ArgumentText {
  private static let first: UInt32 = 0x10FF80
  private static let offset: UInt32 = 0x10FF00

  /// Encodes bytes as text; valid UTF-8 is returned unchanged.
  package static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !carriesBytes(text) { return text }
    var text = ""
    var rest = bytes[...]
    while let byte = rest.first {
      if let scalar = scalar(at: rest), scalar.value < first {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // An ASCII byte is always a separate scalar, so this byte is 0x80 or more.
        text.unicodeScalars.append(Unicode.Scalar(offset + UInt32(byte)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Decodes the bytes of a text.
  package static func bytes(of text: String) -> [UInt8] {
    guard carriesBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      scalar.value < first ? Array(UTF8.encode(scalar) ?? .init()) : [UInt8(scalar.value - offset)]
    }
  }

  /// Whether a text encodes bytes that are not UTF-8.
  package static func carriesBytes(_ text: String) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { $0.value >= first }
  }

  /// The text for display; each byte that is not UTF-8 appears as `\xHH`.
  package static func shown(_ text: String) -> String {
    guard carriesBytes(text) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if scalar.value < first {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\x" + Hex.text(of: [UInt8(scalar.value - offset)])
      }
    }
  }

  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
