package import VmxModel

/// JSON Lines for pipes and for terminals.
package enum JSONText {
  /// An object as one line with its line end.
  ///
  /// - Parameter escaping: also writes the characters that must not reach a terminal as `\u`,
  ///   which means the same to every parser.
  package static func line(_ object: JSONObject, escaping: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    if escaping {
      // Raw control characters of C0 were escaped by the writer, so what is left to escape only
      // stands inside strings and has the form of a JSON escape.
      bytes = Array(TerminalText.escaped(String(decoding: bytes, as: UTF8.self)).utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
