import VmxModel

/// Escapes text from outside before it reaches a terminal.
///
/// A title or a file name may contain escape sequences, line breaks or bidirectional overrides.
/// With these it could rewrite the screen or imitate other output. They are shown as visible
/// escapes.
package enum TerminalText {
  /// Replaces control characters (C0, DEL, C1), line separators and bidirectional embeddings,
  /// overrides and isolates by `\n`, `\t`, `\r`, `\x1b` or `\u202e`.
  package static func escaped(_ text: String) -> String {
    guard mayNeedEscaping(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if let escape = escape(for: scalar) {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the escape of a character that must not reach a terminal; nil for all others.
  static func escape(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x09: #"\t"#
    case 0x0A: #"\n"#
    case 0x0D: #"\r"#
    case 0..<0x20, 0x7F: #"\x"# + Hex.text(of: [UInt8(scalar.value)])
    case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069:
      #"\u"# + Hex.text(of: [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
    default: nil
    }
  }

  // Nearly all texts need no escapes, which one pass over the bytes shows without an allocation. C2
  // is the lead byte of the C1 controls, E2 that of the separators and bidirectional controls.
  private static func mayNeedEscaping(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
  }
}
