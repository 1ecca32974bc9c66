/// Prepares the bytes of a document for the parser: as UTF-8, without characters that XML forbids,
/// and without entity references except the five of XML itself.
///
/// References to HTML entities become their characters, and references by number are left to the
/// parser. All others become literal text, so no entity that a document declares is ever expanded
/// (CWE-776) or loaded (CWE-611).
enum MarkupText {
  /// Returns the document as text for the parser.
  static func prepared(_ bytes: [UInt8]) -> [UInt8] {
    prepared(
      MarkupEncoding.repaired(MarkupEncoding.decoded(bytes, charset: nil)), isLast: true
    ).text
  }

  /// Returns the beginning of a UTF-8 text for the parser, and the number of its bytes that this
  /// covers.
  ///
  /// - Parameter isLast: whether the document ends with the text. Else a reference, comment or
  ///   CDATA section whose end is missing is left out, and belongs to the next piece.
  static func prepared(_ text: [UInt8], isLast: Bool) -> (text: [UInt8], length: Int) {
    var (kept, length) = (text, text.count)
    if !isLast || text.contains(UInt8(ascii: "&")) {
      (kept, length) = withoutReferences(text, isLast: isLast)
    }
    kept.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return (kept, length)
  }

  private static func withoutReferences(
    _ text: [UInt8], isLast: Bool
  ) -> (text: [UInt8], length: Int) {
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var rest = text[...]
    let (open, ampersand) = (UInt8(ascii: "<"), UInt8(ascii: "&"))
    while let mark = rest.firstIndex(where: { $0 == open || $0 == ampersand }) {
      kept += rest[..<mark]
      rest = rest[mark...]
      if !isLast, rest.count < maxMarkLength { return (kept, mark) }
      if rest[mark] == ampersand {
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
        let (length, isClosed) = rawLength(rest)
        if !isLast, !isClosed { return (kept, mark) }
        kept += rest.prefix(max(1, length))
        rest = rest.dropFirst(max(1, length))
      }
    }
    return (kept + rest, text.count)
  }

  /// The maximum length of a reference, and of the start of a comment or CDATA section.
  private static let maxMarkLength = 14

  /// Returns the length of a comment or CDATA section, in which references have no meaning, and
  /// whether its end is in the text; 0 for other text.
  private static func rawLength(_ text: ArraySlice<UInt8>) -> (length: Int, isClosed: Bool) {
    guard text.dropFirst().first == UInt8(ascii: "!") else { return (0, true) }
    for (start, end) in [("<![CDATA[", "]]>"), ("<!--", "-->")]
    where text.starts(with: start.utf8) {
      let end = Array(end.utf8)
      var position = text.startIndex + start.utf8.count
      while position < text.endIndex {
        if text[position] == end[0], text[position...].starts(with: end) {
          return (position + end.count - text.startIndex, true)
        }
        position += 1
      }
      return (text.count, false)
    }
    return (0, true)
  }
}
