import VmxModel
import VmxSystem

// The encoding of a document. The byte order mark has precedence, then the charset of the server,
// then the XML declaration (RFC 7303, section 3.2; the HTML standard has the same order). Without
// any of these, XML means UTF-8 (XML 1.0, section 4.3.3).
//
// Two rules are more lenient than the specifications. A text that is valid UTF-8 is read as UTF-8,
// since declarations are often wrong and no other text is valid UTF-8 by chance. A byte that is not
// valid UTF-8 is read as Windows-1252, as web browsers read text without a declaration.

/// The conversion of documents to UTF-8.
enum MarkupEncoding {
  /// Returns a document without its byte order mark, as UTF-8 that may contain malformed bytes.
  ///
  /// - Parameter charset: the encoding declared by the server; nil if unknown.
  static func decoded(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    let marked = TextEncoding.marked(bytes)
    let rest = bytes[(marked?.mark ?? 0)...]
    let wide = [[0x3C, 0]: "utf-16le", [0, 0x3C]: "utf-16be"][Array(bytes.prefix(2))]
    if let name = marked?.name ?? wide, name != "utf-8" {
      // A truncated last character must not make the whole text unreadable.
      let whole = rest.prefix(rest.count - rest.count % (name.hasPrefix("utf-32") ? 4 : 2))
      return convertedToUTF8(whole, from: name) ?? Array(rest)
    }
    guard marked == nil else { return Array(rest) }
    let names = [charset, declaration(rest)].compactMap {
      $0.flatMap { TextEncoding.iconvName($0.lowercased()) }
    }.filter { !$0.hasPrefix("utf-") && $0 != "windows-1252" }
    guard !names.isEmpty, String(validating: bytes, as: UTF8.self) == nil else { return bytes }
    return names.lazy.compactMap { convertedToUTF8(rest, from: $0) }.first ?? bytes
  }

  /// Returns a text as valid UTF-8: each malformed byte becomes its Windows-1252 character.
  static func repaired(_ text: [UInt8]) -> [UInt8] {
    guard String(validating: text, as: UTF8.self) == nil else { return text }
    var repaired: [UInt8] = []
    repaired.reserveCapacity(text.count + text.count / 8)
    text.withUnsafeBufferPointer { text in
      var position = 0
      while position < text.count {
        let length = text[position] < 0x80 ? 1 : sequenceLength(in: text, at: position)
        if length > 0 {
          repaired += text[position..<position + length]
        } else {
          repaired += String(Windows1252.scalar(text[position])).utf8
        }
        position += max(length, 1)
      }
    }
    return repaired
  }

  /// Returns the length of the well-formed UTF-8 sequence at a non-ASCII byte (Unicode, table 3-7);
  /// 0 if there is none. The characters U+FFFE and U+FFFF, which XML forbids, count as malformed.
  static func sequenceLength(in text: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
    let first = text[position]
    let (length, low, high): (Int, UInt8, UInt8) =
      switch first {
      case 0xC2...0xDF: (2, 0x80, 0xBF)
      case 0xE0: (3, 0xA0, 0xBF)
      case 0xED: (3, 0x80, 0x9F)
      case 0xE1...0xEF: (3, 0x80, 0xBF)
      case 0xF0: (4, 0x90, 0xBF)
      case 0xF1...0xF3: (4, 0x80, 0xBF)
      case 0xF4: (4, 0x80, 0x8F)
      default: (0, 0, 0)
      }
    guard length > 0, position + length <= text.count, (low...high).contains(text[position + 1])
    else {
      return 0
    }
    for index in 2..<4 where index < length && text[position + index] & 0xC0 != 0x80 { return 0 }
    let isNone = first == 0xEF && text[position + 1] == 0xBF && text[position + 2] >= 0xBE
    return isNone ? 0 : length
  }

  /// Returns the encoding in the declaration `<?xml … encoding="…"?>`; nil if there is none.
  private static func declaration(_ bytes: ArraySlice<UInt8>) -> String? {
    let front = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard front.hasPrefix("<?xml"), let end = front.firstRange(of: "?>"),
      let key = front[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let value = front[key.upperBound..<end.lowerBound].split { "\"' =\t".contains($0) }.first
    return value.map(String.init)
  }
}
