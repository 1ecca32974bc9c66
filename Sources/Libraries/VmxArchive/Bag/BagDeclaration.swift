import VmxModel
import VmxSystem

/// A version of the BagIt format.
package struct BagVersion: Sendable, Hashable, Comparable {
  /// The number before the full stop.
  package let major: Int
  /// The number after the full stop.
  package let minor: Int

  /// Version 1.0, which RFC 8493 specifies.
  package static let rfc = BagVersion(major: 1, minor: 0)

  /// Whether vmx supports this version: 0.93 to 1.0.
  package var isKnown: Bool { self == .rfc || major == 0 && (93...97).contains(minor) }

  package static func < (left: BagVersion, right: BagVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

/// The content of `bagit.txt` (RFC 8493, section 2.1.1): two lines in UTF-8.
package struct BagDeclaration: Sendable, Equatable {
  /// The name of the file.
  package static let name = "bagit.txt"
  /// The file as vmx writes it.
  package static let text = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"

  /// The version of the format.
  package let version: BagVersion
  /// The declared encoding of the other tag files.
  package let encoding: String

  /// Parses the file; nil unless it is exactly these two lines, without a byte order mark.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var lines = Array(TagLines(text))
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == 2, let version = Self.value(of: "BagIt-Version:", in: lines[0]),
      let encoding = Self.value(of: "Tag-File-Character-Encoding:", in: lines[1])
    else { return nil }
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let major = Int(numbers[0]), let minor = Int(numbers[1])
    else { return nil }
    self.version = BagVersion(major: major, minor: minor)
    self.encoding = encoding
  }

  /// Converts the text of another tag file to UTF-8; nil if it is invalid, or the encoding is
  /// unknown.
  func decode(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    let name = encoding.lowercased()
    let mark = TextEncoding.marked(bytes)
    if isUTF8 {
      let rest = mark?.name == name ? bytes.dropFirst(mark?.mark ?? 0) : bytes[...]
      return Self.isValid(rest) ? rest : nil
    }
    guard let known = TextEncoding.iconvName(name),
      let text = convertedToUTF8(bytes[...], from: known)
    else { return nil }
    return Self.isValid(text[...]) ? text[...] : nil
  }

  /// Whether bytes are valid UTF-8. It makes no copy.
  static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch {
      return false
    }
  }

  /// Whether the other tag files are declared as UTF-8.
  var isUTF8: Bool { encoding.lowercased() == "utf-8" }

  /// Whether `decode` knows the encoding.
  var isEncodingKnown: Bool {
    let name = encoding.lowercased()
    return isUTF8 || TextEncoding.iconvName(name) != nil
  }

  private static func value(of label: String, in line: Substring) -> String? {
    guard line.hasPrefix(label) else { return nil }
    let value = line.dropFirst(label.count).trimmingBlanks
    return value.isEmpty || value.contains(where: \.isWhitespace) ? nil : String(value)
  }
}

/// The lines of a tag file, which end with LF, CR or CRLF. They are produced one at a time, since a
/// manifest may have millions.
struct TagLines: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>?

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  /// Creates the lines of valid UTF-8.
  init(_ rest: ArraySlice<UInt8>) {
    self.rest = rest
  }

  mutating func next() -> Substring? {
    guard let text = rest else { return nil }
    guard let end = text.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      rest = nil
      return Substring(decoding: text, as: UTF8.self)
    }
    var after = text[(end + 1)...]
    if text[end] == 0x0D, after.first == 0x0A { after.removeFirst() }
    rest = after
    return Substring(decoding: text[..<end], as: UTF8.self)
  }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs.
  var trimmingBlanks: Substring {
    var text = utf8
    while text.first == 0x20 || text.first == 0x09 { text.removeFirst() }
    while text.last == 0x20 || text.last == 0x09 { text.removeLast() }
    return Substring(text)
  }
}
