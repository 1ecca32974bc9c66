package import SystemPackage
import VmxMedia
package import VmxModel
package import VmxNaming
import VmxSystem

// Without a record and an NFO file, the video itself describes the episode: by the tags in its
// container, then by the words that yt-dlp writes around the title in its name. Season and number
// still come from an explicit pattern in the name, as with NFO files.

extension EpisodeDescription {
  /// Adds what a video and its name tell, to a description that was made of the name alone.
  ///
  /// - Parameters:
  ///   - path: the file, or a copy of it; nil to read only the name.
  ///   - name: the parsed name of the video.
  ///   - stem: its file name without the extension.
  ///   - isOfYtDlp: whether the caller reads the ids in names.
  ///   - given: the fields that a person gave, which stay.
  /// - Returns: the evidence, as phrases.
  package mutating func describe(
    byVideo path: FilePath?, _ name: EpisodeFileName, stem: String, isOfYtDlp: Bool = false,
    keeping given: Set<PathField> = []
  ) -> [String] {
    var evidence: [String] = []
    if !given.contains(.title), let id = readWords(ofName: stem, isOfYtDlp: isOfYtDlp) {
      evidence.append("[\(id)]")
    }
    guard let path, let (tags, size) = Self.tags(of: path) else { return evidence }
    measuredDuration = tags.duration
    sizes.insert(size)
    if let key = (tags.source?.withoutTracking).map(IdentityKey.source), !identity.contains(key) {
      identity.append(key)
      evidence.append(MediaTags.sourceAttribute)
    }
    if let title = tags.title, !given.contains(.title), TagTitle.isTitle(title, ofFile: stem) {
      set(title, .title, to: \.title)
    }
    if !given.contains(.showTitle) { set(tags.show, .showTitle, to: \.showTitle) }
    if let date = tags.date, !given.contains(.date) {
      set(date, .date, to: \.date)
      // The day of an upload is not that of a daily show.
      if name.date == nil { isDaily = false }
    }
    if name.number == nil, given.isDisjoint(with: [.season, .number]) {
      setNumber(by: tags, hasSeason: name.season != nil)
    }
    text.summary = text.summary ?? tags.summary
    if let page = tags.page { addPage(page) }
    guard origin == .tags || tags.summary != nil || tags.page != nil else { return evidence }
    origin = .tags
    evidence.append("tags")
    return evidence
  }

  /// Adds what a video and its name tell, to a description by a person. What the person gave stays,
  /// and the values of the tags keep their strength.
  ///
  /// - Parameter given: the fields that the person gave.
  package mutating func fill(
    byVideo path: FilePath, _ name: EpisodeFileName, keeping given: Set<PathField>
  ) {
    let before = self
    _ = describe(byVideo: path, name, stem: path.stem ?? "", keeping: given)
    guard origin == .tags else { return }
    origin = before.origin
    tagged = Set(before.derived.subtracting(derived).map(\.field))
    if before.summary == nil, text.summary != nil { tagged.insert(.summary) }
    if before.pageURL == nil, text.pageURL != nil { tagged.insert(.pageURL) }
  }

  /// Whether the tags of a container identify the episode as well as a record: by title and day, or
  /// by the page from which the video was saved.
  package var isToldByTags: Bool {
    origin == .tags && (text.date != nil && !derived.contains(.title) || text.pageURL != nil)
  }

  private mutating func setNumber(by tags: MediaTags, hasSeason: Bool) {
    if let number = tags.number {
      set(number, .number, to: \.number)
      if !hasSeason { set(tags.season, .season, to: \.season) }
    } else if tags.date != nil, !derived.contains(.title) {
      // A bare number may be a position in a playlist.
      text.number = nil
    }
  }

  private static func tags(of video: FilePath) -> (MediaTags, size: Int64)? {
    do throws(FileError) {
      let file = try OpenFile(video, .readOnly)
      return (try MediaTags(of: file), try file.facts().size)
    } catch {
      // The import of the file reports that it cannot be read.
      return nil
    }
  }

  private mutating func set<Value>(
    _ value: Value?, _ field: PathField, to path: WritableKeyPath<EpisodeDescription, Value?>
  ) {
    guard let value else { return }
    self[keyPath: path] = value
    derived.remove(field)
    origin = .tags
  }

  /// Adds the page from which the video was saved, with the id at its site.
  private mutating func addPage(_ page: WebURL) {
    text.pageURL = text.pageURL ?? page.withoutTracking
    guard let key = SiteID.key(ofPage: page), !identity.contains(key) else { return }
    identity.append(key)
  }

  /// Reads a day YYYYMMDD at the beginning of the title, and an id in brackets at its end.
  ///
  /// - Returns: the id; nil for none.
  private mutating func readWords(ofName stem: String, isOfYtDlp: Bool) -> String? {
    // The parser of names may have read the day already.
    guard let before = title, stem.hasSuffix(before) else { return nil }
    var words = before
    if text.date == nil, let (day, rest) = Self.leadingDay(of: words) {
      (text.date, words) = (day, rest)
      isDaily = false
    }
    addGUID(ofName: words)
    var found: String?
    if !isOfYtDlp, let id = SiteID.bracketed(in: words), SiteID.isCertain(id) {
      words = words.dropLast(id.count + 2).trimmed.description
      if let key = SiteID.key(id) { identity.append(key) }
      found = id
    }
    if words != before {
      title =
        words.isEmpty
        ? MediaName.place(season: text.season, number: text.number, date: text.date) ?? stem : words
    }
    return found
  }

  /// Adds the word in brackets at the end of a name as the guid of an item of a feed, which yt-dlp
  /// uses as the id. Its names have full-width characters for those that file systems reject.
  private mutating func addGUID(ofName name: String) {
    guard let word = SiteID.bracketed(in: name), !TagTitle.isOfRelease(word) else { return }
    let guid = String(word.map { Self.replaced[$0] ?? $0 })
    guard let key = IdentityKey.item(ofAnyFeed: guid), let named = IdentityKey.named(guid: guid)
    else { return }
    identity.append(named)
    lookups.append(key)
  }

  private static let replaced: [Character: Character] = [
    "\u{FF1A}": ":", "\u{29F8}": "/", "\u{FF1F}": "?", "\u{FF02}": "\"", "\u{FF0A}": "*",
    "\u{FF1C}": "<", "\u{FF1E}": ">", "\u{FF5C}": "|", "\u{29F9}": "\\",
  ]

  /// Returns the day at the beginning of a name, and the words after it; nil for another number.
  private static func leadingDay(of name: String) -> (CalendarDay, String)? {
    let digits = name.prefix(8)
    let rest = name.dropFirst(8)
    guard digits.count == 8, digits.utf8.allSatisfy(\.isASCIIDigit),
      rest.first.map({ " -_.".contains($0) }) ?? true,
      let year = Int(digits.prefix(4)), (1950...2099).contains(year),
      let day = CalendarDay(
        "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
    else { return nil }
    return (day, String(rest.drop { " -_.".contains($0) }))
  }
}

extension PathField {
  /// The field of the record.
  fileprivate var field: Episode.Field {
    switch self {
    case .title: .title
    case .showTitle: .showTitle
    case .season: .season
    case .number: .number
    case .date: .date
    }
  }
}
