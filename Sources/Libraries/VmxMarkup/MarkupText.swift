import CXml
import VmxModel
import VmxSystem

/// Prepares the bytes of a document for the parser: as UTF-8, without characters that XML forbids,
/// and without entity references except the five of XML itself.
///
/// References to HTML entities become their characters. All other references become literal text,
/// so no entity that a document declares is ever expanded (CWE-776) or loaded (CWE-611).
enum MarkupText {
  /// Returns the document as text for the parser.
  static func prepared(_ bytes: [UInt8]) -> [UInt8] {
    prepared(decoded(bytes), isLast: true).text
  }

  /// Returns the beginning of a UTF-8 text for the parser, and the number of its bytes that this
  /// covers.
  ///
  /// - Parameter isLast: whether the document ends with the text. Else a reference, comment or CDATA
  ///   section whose end is missing is left out, and belongs to the next piece.
  static func prepared(_ text: [UInt8], isLast: Bool) -> (text: [UInt8], length: Int) {
    var (kept, length) = (text, text.count)
    if !isLast || text.contains(UInt8(ascii: "&")) {
      (kept, length) = withoutReferences(text, isLast: isLast)
    }
    kept.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return (kept, length)
  }

  /// Decodes a document: by its byte order mark, as UTF-8 if it is valid, by the declared encoding,
  /// else as Windows-1252. UTF-8 precedes the declaration, since wrong declarations are common and
  /// text is not valid UTF-8 by chance.
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    let marked = TextEncoding.marked(bytes)
    let rest = bytes[(marked?.mark ?? 0)...]
    let wide = [[0x3C, 0]: "utf-16le", [0, 0x3C]: "utf-16be"][Array(bytes.prefix(2))]
    if let name = marked?.name ?? wide, name != "utf-8" {
      // A truncated last character must not make the whole text unreadable.
      let whole = rest.prefix(rest.count - rest.count % (name.hasPrefix("utf-32") ? 4 : 2))
      if let text = convertedToUTF8(whole, from: name) { return text }
    }
    if String(validating: rest, as: UTF8.self) != nil { return Array(rest) }
    for name in TextEncoding.guesses(charset: declaration(rest), language: nil)
    where !name.hasPrefix("utf-") {
      if let text = convertedToUTF8(rest, from: name) { return text }
    }
    return rest.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
  }

  /// Returns the encoding in the declaration `<?xml … encoding="…"?>`; nil if there is none.
  static func declaration(_ bytes: ArraySlice<UInt8>) -> String? {
    let front = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard front.hasPrefix("<?xml"), let end = front.firstRange(of: "?>"),
      let key = front[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = front[key.upperBound..<end.lowerBound].split { "\"' =\t".contains($0) }.first
    return value.map(String.init)
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
      if !isLast, rest.count < longestMark { return (kept, mark) }
      if rest[mark] == ampersand {
        let (characters, length) = reference(rest)
        kept += characters
        rest = rest.dropFirst(length)
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
  private static let longestMark = 14

  /// Returns the length of a comment or CDATA section, in which references have no meaning, and
  /// whether its end is in the text; 0 for other text.
  private static func rawLength(_ text: ArraySlice<UInt8>) -> (length: Int, isClosed: Bool) {
    guard text.dropFirst().first == UInt8(ascii: "!") else { return (0, true) }
    for (start, end) in [("<![CDATA[", "]]>"), ("<!--", "-->")]
    where text.starts(with: start.utf8) {
      let end = Array(end.utf8)
      var place = text.startIndex + start.utf8.count
      while place < text.endIndex {
        if text[place] == end[0], text[place...].starts(with: end) {
          return (place + end.count - text.startIndex, true)
        }
        place += 1
      }
      return (text.count, false)
    }
    return (0, true)
  }

  /// Returns the replacement for the reference at the start of a text, and the reference's length.
  private static func reference(_ text: ArraySlice<UInt8>) -> (characters: [UInt8], length: Int) {
    let name = text.dropFirst().prefix(12).prefix { $0.isASCIIAlphanumeric || $0 == 0x23 }
    let end = name.endIndex
    guard !name.isEmpty, end < text.endIndex, text[end] == UInt8(ascii: ";") else {
      return (Array("&amp;".utf8), 1)
    }
    let length = name.count + 2
    let word = String(decoding: name, as: UTF8.self)
    if word.hasPrefix("#") || ["amp", "lt", "gt", "quot", "apos"].contains(word) {
      return (Array(text.prefix(length)), length)
    }
    guard let entity = htmlEntityLookup(Array(name) + [0]),
      let scalar = Unicode.Scalar(entity.pointee.value)
    else { return (Array("&amp;".utf8), 1) }
    return (Array(String(scalar).utf8), length)
  }
}
