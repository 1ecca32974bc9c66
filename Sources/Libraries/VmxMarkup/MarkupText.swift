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
    var text = decoded(bytes)
    text.removeAll { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    return text.contains(UInt8(ascii: "&")) ? withoutReferences(text) : text
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
        let (characters, length) = reference(rest)
        kept += characters
        rest = rest.dropFirst(length)
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
