/// Prepares the bytes of a document for the parser: as UTF-8, without characters that XML forbids,
/// and without entity references except the five of XML itself.
///
/// References to HTML entities become their characters, and references by number are left to the
/// parser. All others become literal text, so no entity that a document declares is ever expanded
/// (CWE-776) or loaded (CWE-611).
enum MarkupText {
  /// Returns the document as text for the parser.
  static func prepared(_ bytes: [UInt8]) -> [UInt8] {
    var text = MarkupEncoding.repaired(MarkupEncoding.decoded(bytes, charset: nil))
    text.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return text.contains(UInt8(ascii: "&")) ? withoutReferences(text) : text
  }

  private static func withoutReferences(_ text: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.first {
      let raw = byte == UInt8(ascii: "<") ? rawLength(rest) : 0
      if raw > 0 {
        kept += rest.prefix(raw)
        rest = rest.dropFirst(raw)
      } else if byte == UInt8(ascii: "&") {
        guard let reference = CharacterReference(rest) else {
          kept += "&amp;".utf8
          rest = rest.dropFirst()
          continue
        }
        if case .named(let scalar) = reference.kind {
          kept += String(scalar).utf8
        } else {
          kept += rest.prefix(reference.length)
        }
        rest = rest.dropFirst(reference.length)
      } else {
        kept.append(byte)
        rest = rest.dropFirst()
      }
    }
    return kept
  }

  /// Returns the length of a comment or CDATA section, in which references have no meaning; 0 for
  /// other text.
  private static func rawLength(_ text: ArraySlice<UInt8>) -> Int {
    for (start, end) in [("<![CDATA[", "]]>"), ("<!--", "-->")]
    where text.starts(with: start.utf8) {
      let end = Array(end.utf8)
      var place = text.startIndex + start.utf8.count
      while place < text.endIndex, !text[place...].starts(with: end) { place += 1 }
      return min(place + end.count, text.endIndex) - text.startIndex
    }
    return 0
  }
}
