package import VmxModel

/// The parsed name of a file that accompanies a video or a folder: subtitles, pictures, NFO, a key.
/// For files beside a video it is the inverse of `MediaName.ending`.
///
///     let file = CompanionFileName("Show - S01E02.pt-BR.forced.srt", beside: "Show - S01E02")
package struct CompanionFileName: NamedPart, Sendable, Equatable {
  /// The name of the part. Subtitles are forced by `forced` or `foreign`, and describe sounds by
  /// `sdh`, `cc`, and `hi` beside a language.
  package var partName: PartName

  /// Parses the name of a file beside a video; nil if it does not belong to the video, or has an
  /// unknown extension.
  ///
  /// - Parameter stem: the name of the video without its extension; it must match exactly.
  package init?(_ name: String, beside stem: String) {
    guard name.utf8.starts(with: stem.utf8),
      let (front, ending) = Self.split(Substring(name.utf8.dropFirst(stem.utf8.count)))
    else { return nil }
    var words = front.split(separator: ".", omittingEmptySubsequences: false)
    let mark = words.removeFirst()
    guard let role = Self.role(ending, words: words) else { return nil }
    partName = PartName(role: role)
    isIndex = ending == SubtitleFormat.idx.rawValue
    if role == .image {
      guard mark.isEmpty || mark.first == "-" && Self.isPicture(mark.dropFirst()) else {
        return nil
      }
    } else {
      guard mark.isEmpty else { return nil }
    }
    read(words.map(String.init))
  }

  /// Parses the fixed name of a picture or NFO of a show or season: `poster.jpg`,
  /// `season01-poster.jpg`, `tvshow.nfo`; nil for another name.
  package init?(ofFolder name: String) {
    guard let (front, ending) = Self.split(name.lowercased()[...]) else { return nil }
    if ["tvshow.nfo", "season.nfo"].contains("\(front).\(ending)") {
      partName = PartName(role: .metadata)
      return
    }
    let words = front.split(separator: "-", omittingEmptySubsequences: false)
    guard Self.endings[.image]?.contains(ending) ?? false, let last = words.last,
      Self.isPicture(last)
    else { return nil }
    partName = PartName(role: .image)
    switch words.dropLast() {
    case [], ["season", "specials"]: break
    case let season where season.count == 1 && season[0].hasPrefix("season"):
      guard NameText(season[0]).number(at: 6)?.end == season[0].count else { return nil }
    default: return nil
    }
  }

  /// Parses the name of a subtitle file in a folder of subtitles: `2_English.srt`,
  /// `Show - S01E02.en.srt`; nil for other files.
  ///
  /// - Parameter stem: the name of the video without its extension.
  package init?(inSubtitles name: String, of stem: String) {
    guard let (front, ending) = Self.split(name[...]),
      SubtitleFormat.fileExtensions.contains(ending)
    else { return nil }
    partName = PartName(role: .subtitle)
    isIndex = ending == SubtitleFormat.idx.rawValue
    let isOfVideo = front.utf8.starts(with: stem.utf8)
    let rest = isOfVideo ? Substring(front.utf8.dropFirst(stem.utf8.count)) : front
    read(rest.split { ". _".contains($0) }.map(String.init))
  }

  private mutating func read(_ names: [String]) {
    // `English - SDH` and `English (SDH)` are several words.
    let words = names.flatMap { name in
      name.contains { " ()[]".contains($0) }
        ? name.split { " ()[]".contains($0) }.map(String.init).filter { $0 != "-" } : [name]
    }
    var rest: [String] = []
    var isHi = false
    for word in words {
      switch word.lowercased() {
      case "default": break
      case "forced", "foreign": isForced = true
      case "sdh", "cc": isSDH = true
      case "hi": isHi = true
      default: rest.append(word)
      }
    }
    if let index = rest.lastIndex(where: { Self.language($0) != nil }) {
      language = Self.language(rest.remove(at: index))
    } else if !isHi, let first = rest.first, first == words.first, Self.isOddTag(first) {
      language = rest.removeFirst()
    }
    // `hi` alone means Hindi; beside a language it means hearing impaired.
    if isHi {
      isSDH = isSDH || language != nil
      language = language ?? "hi"
    }
  }

  /// Returns the language of a word; that of yt-dlp's `en-orig`, and of its translations such as
  /// `de-en`, is the first. Regions such as `pt-br` are kept.
  private static func language(_ word: String) -> String? {
    guard let dash = word.lastIndex(of: "-"),
      origins.contains(word[word.index(after: dash)...])
    else { return LanguageName.tag(of: word) }
    return LanguageName.tag(ofTrack: word)
  }

  /// The languages that automatic captions come from and that are no codes of countries.
  private static let origins: Set<Substring> = [
    "orig", "en", "ja", "ko", "zh", "cs", "da", "el", "uk", "hi", "he", "fa", "ur",
  ]

  /// Whether a word can be the tag of a rare language, in the spelling that `MediaName` writes.
  private static func isOddTag(_ word: String) -> Bool {
    (2...3).contains(word.prefix { $0 != "-" }.count) && LanguageTag.normalised(word) == word
  }

  /// Returns the text before the last full stop, and the extension in lower case.
  private static func split(_ name: Substring) -> (front: Substring, ending: String)? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty ? nil : (name[..<dot], ending)
  }

  private static let endings: [PartRole: Set<String>] = [
    .video: [
      "mp4", "m4v", "mov", "3gp", "mkv", "webm", "avi", "divx", "flv", "wmv", "asf", "mxf", "ts",
      "m2ts", "mts", "mpg", "mpeg", "vob", "ogv", "ogm", "rm", "rmvb", "m4a", "mp3", "aac", "flac",
      "wav", "ogg", "opus",
    ],
    .subtitle: SubtitleFormat.fileExtensions,
    .image: ["jpg", "jpeg", "png", "webp", "gif", "avif", "heic", "tbn"],
    .metadata: ["nfo", "xml", "json", "txt"],
    .key: ["key"],
  ]

  /// The kinds of pictures in file names, and their other names.
  private static let pictures: Set<String> = [
    "poster", "folder", "cover", "fanart", "backdrop", "background", "banner", "clearlogo", "logo",
    "clearart", "landscape", "thumb",
  ]

  /// Returns the role for an extension. JSON and plain text are transcripts if the name has a
  /// language.
  private static func role(_ ending: String, words: [Substring]) -> PartRole? {
    if ["json", "txt"].contains(ending), let word = words.first, LanguageName.tag(of: word) != nil {
      return .subtitle
    }
    return Self.role(ofExtension: ending)
  }

  private static func isPicture(_ word: Substring) -> Bool { pictures.contains(word.lowercased()) }
}

extension CompanionFileName {
  /// Returns the role of files with an extension, which is in any case and without its dot.
  package static func role(ofExtension fileExtension: String) -> PartRole? {
    let ending = fileExtension.lowercased()
    return endings.first { $0.value.contains(ending) }?.key
  }

  /// Whether an extension, in any case and without its dot, belongs to video or audio files.
  package static func isVideo(_ fileExtension: String) -> Bool {
    role(ofExtension: fileExtension) == .video
  }

  /// Whether an extension, in any case and without its dot, belongs to audio files.
  package static func isAudio(_ fileExtension: String) -> Bool {
    audio.contains(fileExtension.lowercased())
  }

  /// Returns the path of a file without the query of its URL, which wget keeps: `e1.mp4?id=7` and
  /// `e1.mp4@id=7` become `e1.mp4` (wget(1), `--restrict-file-names`).
  package static func withoutQuery(_ path: String) -> String {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
    guard let mark = bytes[start...].firstIndex(where: { "?@".utf8.contains($0) }),
      let dot = bytes[start..<mark].lastIndex(of: UInt8(ascii: ".")),
      role(ofExtension: String(path[bytes.index(after: dot)..<mark])) != nil,
      bytes[mark] == UInt8(ascii: "?") || bytes[mark...].contains(UInt8(ascii: "="))
    else { return path }
    return String(path[..<mark])
  }

  private static let audio: Set<String> = [
    "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "wma",
  ]
}

extension PartDescription {
  /// Creates the part of a file next to a video, as its name describes it.
  package init(_ name: CompanionFileName) {
    self.init(name.partName, variants: [])
  }
}
