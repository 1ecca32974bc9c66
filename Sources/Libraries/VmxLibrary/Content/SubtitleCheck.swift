import SystemPackage
import VmxModel
import VmxSystem

// Players treat legacy encodings differently, so subtitles are kept as UTF-8. Bytes that are UTF-8
// without a byte order mark stay as received, whatever their line ends, so that their published
// digest stays valid. A converted text gets LF line ends too, and its original is kept.

/// Validates and converts complete subtitle files.
enum SubtitleCheck {
  /// The maximum size of a subtitle file: 10 MiB. The subtitle of a film has about 0.1 MiB.
  static let largest = ByteCount(clamping: 10 << 20)

  /// Checks a subtitle file; returns its format and, where needed, its converted text.
  ///
  /// - Parameter charset: the charset that the server declared.
  /// - Throws: `body-too-large`, `not-subtitle`, `FileError`.
  static func look(
    at file: FilePath, size: ByteCount, of part: Part, charset: String?, _ subject: String
  ) throws -> PartContent {
    guard size <= largest else {
      throw Failure(.bodyTooLarge, "\(subject) has more than \(largest.bytes) bytes")
    }
    let bytes = try RegularFile.prefix(of: file, upTo: Int(size.bytes))
    guard let (text, encoding) = text(of: bytes, charset: charset, language: part.language),
      !text.contains(0)
    else { throw Failure(.notSubtitle, "\(subject) is no text in an encoding that is known") }
    guard let format = SubtitleFormat(of: text, declared: part.variant?.type) else {
      throw Failure(.notSubtitle, "\(subject) is in no format of subtitles")
    }
    return PartContent(
      fileExtension: format.rawValue,
      made: text == bytes ? nil : PartContent.Made(bytes: text, encoding: encoding))
  }

  /// Decodes the text to UTF-8 without a byte order mark; returns it with its original encoding, or
  /// nil if no encoding fits.
  static func text(
    of bytes: [UInt8], charset: String?, language: String?
  ) -> (text: [UInt8], encoding: String)? {
    if let (name, mark) = TextEncoding.marked(bytes) {
      let rest = bytes[mark...]
      let text = name == "utf-8" ? valid(rest) : convertedToUTF8(rest, from: name)
      return text.map { (withPlainLineEnds($0), name) }
    }
    if valid(bytes[...]) != nil { return (bytes, "utf-8") }
    for name in TextEncoding.guesses(charset: charset, language: language) {
      if let text = convertedToUTF8(bytes[...], from: name) {
        return (withPlainLineEnds(text), name)
      }
    }
    return nil
  }

  private static func valid(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    String(validating: bytes, as: UTF8.self) == nil ? nil : Array(bytes)
  }

  private static func withPlainLineEnds(_ text: [UInt8]) -> [UInt8] {
    let (feed, mark) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    guard text.contains(mark) else { return text }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isBehindReturn = false
    for byte in text {
      if byte == mark {
        plain.append(feed)
      } else if byte != feed || !isBehindReturn {
        plain.append(byte)
      }
      isBehindReturn = byte == mark
    }
    return plain
  }
}
