package import VmxModel

/// Encodes JSON Lines for pipes and terminals.
package enum JSONText {
  /// Returns an object as one line with its line end.
  ///
  /// - Parameter escaping: whether characters that must not reach a terminal are also written as
  ///   `\u` escapes, which every parser decodes to the same text.
  package static func line(_ object: JSONObject, escaping: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    if escaping {
      // The writer has escaped the C0 control characters. The remaining ones occur only inside
      // strings, and their escapes are valid JSON.
      bytes = Array(TerminalText.escaped(String(decoding: bytes, as: UTF8.self)).utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
