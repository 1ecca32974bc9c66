package import SystemPackage
import VmxJSON
package import VmxModel
import VmxSystem

/// The result of the content check of a complete part.
package struct PartContent {
  /// The converted bytes that are kept instead of the received ones.
  struct Made {
    let bytes: [UInt8]
    /// The encoding of the received text.
    let encoding: String
  }

  /// The file extension without the dot, derived from the bytes; nil if they do not determine it.
  var fileExtension: String?
  /// The converted form that is kept; nil if the received bytes are kept.
  var converted: Made?

  init(fileExtension: String?, converted: Made? = nil) {
    self.fileExtension = fileExtension
    self.converted = converted
  }

  /// Validates a whole file for the role of its part.
  ///
  /// - Parameters:
  ///   - charset: the charset that the server declared.
  ///   - subject: the name of the file in messages.
  ///   - keys: the check of a key.
  /// - Throws: `not-media`, `not-image`, `not-subtitle`, `body-too-large`, `not-key`,
  ///   `key-foreign`, `key-expired`, `FileError`, and errors of `keys`.
  package init(
    of file: FilePath, size: ByteCount, for part: Part, charset: String?, _ subject: String,
    keys: KeyCheck
  ) throws {
    switch part.role {
    case .video, .metadata, .image:
      let kind = try PartFinisher.kind(of: file, for: part.role, subject)
      let isNFO = try part.role == .metadata && kind == .xml && NFORoot.isIn(file)
      self.init(fileExtension: isNFO ? "nfo" : kind?.fileExtension)
    case .subtitle:
      self = try SubtitleCheck.check(at: file, size: size, of: part, charset: charset, subject)
    case .key:
      try keys.check(file, subject)
      self.init(fileExtension: "key")
    }
  }
}

/// The root elements by which players recognise an NFO file among other XML.
private enum NFORoot {
  private static let names = ["episodedetails", "movie", "musicvideo", "season", "tvshow"]

  /// Whether one of them begins within the first 4 KiB of a file.
  static func isIn(_ file: FilePath) throws(FileError) -> Bool {
    let text = String(
      decoding: try RegularFile.prefix(of: file, upTo: MediaKind.sniffLength), as: UTF8.self)
    return names.contains { text.contains("<\($0)>") || text.contains("<\($0) ") }
  }
}

// Players treat legacy encodings differently, so subtitles are kept as UTF-8. Bytes that are UTF-8
// without a byte order mark are kept unchanged, including their line ends, so that their published
// digest stays valid. A converted text gets LF line ends too, and its original is kept. Formats
// with pictures, and the index of VobSub, are kept unchanged.

/// Validates and converts complete subtitle files.
enum SubtitleCheck {
  /// The maximum size of a subtitle file: 64 MiB. The pictures of a film have up to about 50 MiB.
  static let maxSize = ByteCount(clamping: 64 << 20)
  /// The maximum size of a text: 10 MiB. That of a film has about 0.1 MiB.
  static let maxTextSize = ByteCount(clamping: 10 << 20)

  /// Checks a subtitle file; returns its format and, where needed, its converted text.
  ///
  /// - Parameter charset: the charset that the server declared.
  /// - Throws: `body-too-large`, `not-subtitle`, `FileError`.
  static func check(
    at file: FilePath, size: ByteCount, of part: Part, charset: String?, _ subject: String
  ) throws -> PartContent {
    let format = SubtitleFormat(ofBinary: try RegularFile.prefix(of: file, upTo: 64 << 10))
    let limit = format == nil ? maxTextSize : maxSize
    guard size <= limit else {
      throw Failure(.bodyTooLarge, "\(subject) has more than \(limit.bytes) bytes")
    }
    guard !part.isIndex || format == .idx else {
      throw Failure(.notSubtitle, "\(subject) is not an index of VobSub")
    }
    if let format { return PartContent(fileExtension: format.rawValue) }
    let bytes = try RegularFile.prefix(of: file, upTo: Int(size.bytes))
    guard let (text, encoding) = text(of: bytes, charset: charset, language: part.language),
      !text.contains(0)
    else { throw Failure(.notSubtitle, "\(subject) is not text in a known encoding") }
    guard let format = SubtitleFormat(of: text, declared: part.variant?.type) else {
      throw Failure(.notSubtitle, "\(subject) is not in a known subtitle format")
    }
    return PartContent(
      fileExtension: format.rawValue,
      converted: text == bytes ? nil : PartContent.Made(bytes: text, encoding: encoding))
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

// A licence key is opaque: only its player can determine which files it opens. The properties that
// are readable without the player are checked when the key arrives. Messages never contain content
// of the key.

/// Validates complete key files.
package struct KeyCheck {
  /// The maximum size of a key file: 1 MiB.
  static let maxSize = ByteCount(clamping: 1 << 20)

  private let now: Timestamp
  private let isOurs: (EpisodeID) throws -> Bool

  /// Creates a check.
  ///
  /// - Parameter isOurs: whether an id is a current or former id of the episode.
  package init(now: Timestamp, isOurs: @escaping (EpisodeID) throws -> Bool) {
    self.now = now
    self.isOurs = isOurs
  }

  /// Rejects a file that cannot be a currently valid key of the episode.
  ///
  /// A key that is a JSON object may name its episode in `episode`, and its end in `expires` (RFC
  /// 3339, or seconds since 1970). A missing field counts as valid.
  ///
  /// - Parameter subject: the name of the file in messages.
  /// - Throws: `not-key`, `key-foreign`, `key-expired`, `FileError`, and errors of `isOurs`.
  func check(_ file: FilePath, _ subject: String) throws {
    let bytes = try RegularFile.prefix(of: file, upTo: Int(Self.maxSize.bytes))
    let kind = MediaKind.sniff(bytes)
    try PartFinisher.check(kind, for: .key, subject)
    guard kind == .json else { return }
    guard let key = JSONParser().object(in: bytes) else {
      // One of 256 binary keys begins with `{`.
      guard Self.isText(bytes) else { return }
      throw Failure(.notKey, "\(subject) is not valid JSON")
    }
    if let id = key["episode"]?.string.flatMap(EpisodeID.init(valid:)), try !isOurs(id) {
      throw Failure(.keyForeign, "\(subject) is for another episode")
    }
    if let expires = Self.timestamp(key["expires"]), expires <= now {
      throw Failure(.keyExpired, "\(subject) expired on \(expires.text)")
    }
  }

  /// Whether the bytes are UTF-8 without control characters other than blanks and line ends.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
      && String(validating: bytes, as: UTF8.self) != nil
  }

  private static func timestamp(_ value: JSONValue?) -> Timestamp? {
    if let seconds = value?.integer { return Timestamp(seconds: seconds) }
    return value?.string.flatMap { Timestamp($0) }
  }
}
