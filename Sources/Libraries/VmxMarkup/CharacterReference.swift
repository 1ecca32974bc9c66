import CXml
import VmxModel

/// A character reference of XML or HTML, `&name;` or `&#number;`, at the start of a text.
struct CharacterReference {
  /// The kind of a reference.
  enum Kind: Equatable {
    /// One of the five references that XML predefines.
    case predefined
    /// A character number; not every number is that of a character.
    case number(UInt32)
    /// Another named character of HTML.
    case named(Unicode.Scalar)
  }

  /// The maximum length in bytes between `&` and `;`.
  private static let maxLength = 12

  /// The kind.
  let kind: Kind
  /// The length in bytes, from `&` to `;`.
  let length: Int

  /// Parses the reference at the start of a text; nil if the `&` there is a literal ampersand.
  init?<Text: RandomAccessCollection>(_ text: Text) where Text.Element == UInt8, Text.Index == Int {
    let name = text.dropFirst().prefix(Self.maxLength).prefix {
      $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "#")
    }
    let end = name.endIndex
    guard let first = name.first, end < text.endIndex, text[end] == UInt8(ascii: ";") else {
      return nil
    }
    length = name.count + 2
    if first == UInt8(ascii: "#") {
      guard let number = Self.number(String(decoding: name.dropFirst(), as: UTF8.self)) else {
        return nil
      }
      kind = .number(number)
    } else if Self.predefined.contains(where: { $0.utf8.elementsEqual(name) }) {
      kind = .predefined
    } else {
      guard let entity = htmlEntityLookup(Array(name) + [0]),
        let scalar = Unicode.Scalar(entity.pointee.value)
      else { return nil }
      kind = .named(scalar)
    }
  }

  private static let predefined = ["amp", "lt", "gt", "quot", "apos"]

  private static func number(_ digits: String) -> UInt32? {
    let digits = digits.lowercased()
    return digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
  }

  /// Returns the character of two references to UTF-16 surrogates, and the length of both in bytes;
  /// nil unless the text starts with such a pair.
  func pair<Text: RandomAccessCollection>(
    in text: Text
  ) -> (scalar: Unicode.Scalar, length: Int)?
  where Text.Element == UInt8, Text.Index == Int, Text.SubSequence == Text {
    guard case .number(let high) = kind, (0xD800...0xDBFF).contains(high),
      text.count > length, text[text.startIndex + length] == UInt8(ascii: "&"),
      let second = CharacterReference(text.dropFirst(length)),
      case .number(let low) = second.kind, (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return nil }
    return (scalar, length + second.length)
  }

  /// Returns the character of a number by the rules of HTML, which replace control characters
  /// ("numeric character reference end state"); nil for a number without a character.
  static func scalar(of number: UInt32) -> Unicode.Scalar? {
    if (0x80...0x9F).contains(number) { return Windows1252.scalar(UInt8(number)) }
    guard number >= 0x20 || [9, 10, 13].contains(number), number & 0xFFFE != 0xFFFE else {
      return "\u{FFFD}"
    }
    return Unicode.Scalar(number)
  }
}

/// The encoding Windows-1252 (WHATWG Encoding Standard), which web pages also mean by ISO 8859-1
/// and by references to C1 control characters.
enum Windows1252 {
  /// Returns the character of a byte.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? table[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  private static let table = Array(
    """
    €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ
    """.unicodeScalars)
}
