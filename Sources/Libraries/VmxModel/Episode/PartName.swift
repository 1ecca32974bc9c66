/// The role of a part within its episode.
package enum PartRole: String, Sendable, CaseIterable {
  case video, subtitle, image, metadata
  /// An opaque licence key; its file has mode 0600.
  case key
}

/// The name of a part within its episode.
///
///     PartName("subtitles:de.forced")?.text == "subtitle:de.forced"
package struct PartName: Sendable, Hashable {
  /// The role of the part.
  package var role: PartRole
  /// The language as a BCP 47 tag, for subtitles.
  package var language: String?
  /// Whether the subtitles cover only dialogue in another language.
  package var isForced = false
  /// Whether the subtitles also describe sounds (SDH).
  package var isSDH = false
  /// Whether the file is the index of a VobSub pair (`.idx`). The pictures (`.sub`) are another
  /// part of the same language and kind.
  package var isIndex = false
  /// The format of subtitles that exist in several formats, for all parts but the first; else nil.
  package var format: SubtitleFormat?

  /// Creates the name of a part without further words.
  package init(role: PartRole, language: String? = nil) {
    self.role = role
    self.language = language
  }

  /// Decodes the fields of a part in a line or record; a part without a role is a video.
  ///
  /// - Throws: the error of a malformed field.
  package init(_ fields: FieldReader) throws(Failure) {
    self.init(role: try fields.value("role") ?? .video, language: try fields.language("lang"))
    isForced = try fields.bool("forced") ?? false
    isSDH = try fields.bool("sdh") ?? false
    isIndex = try fields.bool("index") ?? false
    format = try fields.value("format")
  }

  /// Parses a name; nil for other text. The role may be plural, and the words after the language
  /// may have any order.
  package init?(_ text: String) {
    let end = text.firstIndex { ":.".contains($0) } ?? text.endIndex
    guard let role = PartRole(word: text[..<end]) else { return nil }
    self.init(role: role)
    var words = text[end...].dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    if text[end...].first == ":" {
      guard let tag = LanguageTag.normalised(String(words.removeFirst())) else { return nil }
      language = tag
    }
    for word in words where end != text.endIndex {
      guard read(word.lowercased()) else { return nil }
    }
  }

  /// Reads a word after the language; returns false for an unknown one.
  private mutating func read(_ word: String) -> Bool {
    guard role == .subtitle || language != nil else { return false }
    switch word {
    case "forced": isForced = true
    case "sdh": isSDH = true
    case SubtitleFormat.idx.rawValue: isIndex = true
    default:
      format = SubtitleFormat(rawValue: word)
      return format != nil
    }
    return true
  }

  /// The text of the name: `video`, `subtitle:en`, `subtitle:en.forced`, `subtitle.forced`,
  /// `subtitle:en.vtt`, `image`.
  package var text: String {
    let start = role.rawValue + (language.map { ":\($0)" } ?? "")
    guard language != nil || role == .subtitle else { return start }
    return start + flags + (format.map { ".\($0.rawValue)" } ?? "") + (isIndex ? ".idx" : "")
  }

  /// The words that also the names of files have: `.forced`, `.sdh`.
  package var flags: String { (isForced ? ".forced" : "") + (isSDH ? ".sdh" : "") }
}

/// A value that has the name of a part.
package protocol NamedPart {
  /// The name of the part.
  var partName: PartName { get set }
}

extension NamedPart {
  /// The text of the name, such as `subtitle:en.forced`.
  package var name: String { partName.text }
  /// The role of the part.
  package var role: PartRole {
    get { partName.role }
    set { partName.role = newValue }
  }
  /// The language of the part.
  package var language: String? {
    get { partName.language }
    set { partName.language = newValue }
  }
  /// Whether the subtitles cover only dialogue in another language.
  package var isForced: Bool {
    get { partName.isForced }
    set { partName.isForced = newValue }
  }
  /// Whether the subtitles also describe sounds.
  package var isSDH: Bool {
    get { partName.isSDH }
    set { partName.isSDH = newValue }
  }
  /// Whether the file is the index of a VobSub pair.
  package var isIndex: Bool {
    get { partName.isIndex }
    set { partName.isIndex = newValue }
  }
  /// The format of subtitles that exist in several formats.
  package var format: SubtitleFormat? {
    get { partName.format }
    set { partName.format = newValue }
  }
}

extension PartRole {
  /// Creates a role from its name, which may be plural; nil for other text.
  init?(word: some StringProtocol) {
    let role = Self.allCases.first { $0.rawValue == word || "\($0.rawValue)s" == word }
    guard let role else { return nil }
    self = role
  }
}
