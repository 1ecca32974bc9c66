/// The signs of an episode that the table of evidence compares, from a description or a record.
package struct EpisodeSigns: Sendable, Equatable {
  /// The identity keys.
  package var keys: Set<IdentityKey> = []
  /// The key of the guid of an item of a feed, without that feed. Only a description of no feed
  /// has it among its keys: two feeds may use one guid for two episodes.
  package var guidOfAnyFeed: IdentityKey?
  /// The guids and URLs of all items of its document.
  package var siblings: Set<IdentityKey> = []
  /// The slug of the show; nil if it is unknown.
  package var show: String?
  /// The title of the show, case and spaces folded; nil if only its slug is known for certain.
  package var showTitle: String?
  /// The season; nil means 1.
  package var season: Int64?
  /// The number within the season.
  package var number: Int64?
  /// The day of publication, in the zone of the feed and in UTC.
  package var days: Set<CalendarDay> = []
  /// Whether its source has only one episode of that day.
  package var isOnlyOfDay = true
  /// The folded title; nil for none and for one that is made of the number, the day or the file.
  package var title: String?
  /// The playing time in milliseconds.
  package var duration: Int64?
  /// The playing time of its file in milliseconds. It agrees or says nothing: a file may have
  /// advertisements that its description does not count.
  package var measuredDuration: Int64?
  /// The known sizes of the video in bytes.
  package var sizes: Set<Int64> = []

  /// Creates signs without any value.
  package init() {}

  /// Whether the other description has the guid or URL of another item of this one's document.
  ///
  /// - Parameter kind: the only kind of key that counts; nil for both.
  func hasSibling(_ other: EpisodeSigns, of kind: IdentityKey.Kind? = nil) -> Bool {
    !siblings.isEmpty
      && other.keys.contains {
        (kind == nil || $0.kind == kind) && siblings.contains($0) && !keys.contains($0)
      }
  }

  /// Returns the slug of a show without the year at its end; nil if it has none.
  package static func withoutYear(slug: String) -> Slug? {
    guard let hyphen = slug.lastIndex(of: "-") else { return nil }
    let year = slug[slug.index(after: hyphen)...]
    guard year.utf8.count == 4, let number = Int64(year), CalendarDay.isYear(number) else {
      return nil
    }
    return Slug(valid: String(slug[..<hyphen]))
  }

  /// Returns a title of an episode in the form in which titles are compared: case, marks,
  /// punctuation and script folded.
  package static func folded(title: String) -> String {
    let text = title.replacing("_", with: " ")
    return Slug(transliterating: text, fallback: text.lowercased()).description
  }

  /// Returns the folded title without the marks between its letters, as some programs name files:
  /// `Four/Five` becomes `FourFive`; nil if it has none.
  package static func foldedLetters(of title: String) -> String? {
    var isBehindLetter = false
    var marks = 0
    let isGlued = title.unicodeScalars.contains { scalar in
      if isMark(scalar) {
        marks += isBehindLetter ? 1 : 0
      } else if scalar == " " || scalar == "_" || scalar == "-" {
        (isBehindLetter, marks) = (false, 0)
      } else {
        if marks > 0 { return true }
        isBehindLetter = true
      }
      return false
    }
    guard isGlued else { return nil }
    return folded(
      title: String(String.UnicodeScalarView(title.unicodeScalars.filter { !isMark($0) })))
  }

  /// Whether a character is neither a letter nor a digit, nor one that separates words.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.generalCategory == .otherPunctuation }
    let byte = UInt8(ascii: scalar)
    return byte > UInt8(ascii: " ") && !byte.isASCIIAlphanumeric && !"_-".utf8.contains(byte)
  }

  /// Whether two folded titles have the same letters and digits, so that one may have lost the
  /// marks between them. A mark between digits counts: `1.1` is not `11`.
  static func hasSameLetters(_ one: String, _ other: String) -> Bool {
    guard one != other, one.utf8.first == other.utf8.first else { return one == other }
    return letters(ofFolded: one) == letters(ofFolded: other)
  }

  private static func letters(ofFolded title: String) -> [UInt8] {
    let bytes = Array(title.utf8)
    return bytes.indices.filter { index in
      bytes[index] != UInt8(ascii: "-")
        || index > 0 && index + 1 < bytes.count && bytes[index - 1].isASCIIDigit
          && bytes[index + 1].isASCIIDigit
    }.map { bytes[$0] }
  }

  /// Returns a title of a show in the form in which shows with one slug are told apart: only case,
  /// spaces and typographic variants folded, since "C" and "C++" have one slug. The year at its end
  /// is left out, which the name of a folder has and a feed has not.
  package static func folded(show: String) -> String {
    let words = ShowName(show).show.lowercased().split { $0.isWhitespace || $0 == "_" }
    return String(
      words.joined(separator: " ").map { character in
        switch character {
        case "’", "‘", "ʼ", "`": "'"
        case "“", "”", "„": "\""
        case "–", "—", "‐", "‑": "-"
        default: character
        }
      })
  }
}

extension Episode {
  /// The keys by which other descriptions of the episode are found: those of the record, its id,
  /// and the digest of its video.
  package var evidenceKeys: Set<IdentityKey> {
    var keys = Set(identity)
    keys.insert(.ownID(id))
    if let sha256 = video?.sha256 { keys.insert(.digest(sha256.hex)) }
    if let guidOfAnyFeed { keys.remove(guidOfAnyFeed) }
    return keys
  }

  private var guidOfAnyFeed: IdentityKey? {
    text.feed == nil ? nil : text.guid.flatMap(IdentityKey.item(ofAnyFeed:))
  }

  /// Whether the record may be joined with another one: no licence limits it, and the user has not
  /// removed it.
  package var isJoinable: Bool {
    want != .gone && licence == nil && !parts.contains(where: \.isBeingRemoved)
      && state != .removed
  }

  /// The signs of the record.
  package var signs: EpisodeSigns {
    var signs = EpisodeSigns()
    signs.keys = evidenceKeys
    signs.guidOfAnyFeed = guidOfAnyFeed
    signs.show = showSlugOfSigns
    // Names of files and folders lack what file systems do not allow.
    let isCertain = showTitle != id.show && !isShowOfHost && by[.showTitle] > .name
    signs.showTitle = isCertain ? EpisodeSigns.folded(show: showTitle) : nil
    (signs.season, signs.number) = (text.season, text.number)
    signs.days = Set([text.date].compactMap(\.self))
    signs.title = hasDerivedTitle ? nil : EpisodeSigns.folded(title: title)
    signs.duration = text.duration
    if let video {
      let sizes = [video.size, video.original?.size] + video.variants.map(\.size)
      signs.sizes = Set(sizes.compactMap { $0?.bytes })
    }
    return signs
  }

  /// The slug of the show. A record whose URL was added without a show has the host in its id, and
  /// gets the title of the show later.
  private var showSlugOfSigns: String {
    guard !isShowOfHost, video?.variants.first?.sources.first?.url.contains("://\(id.show)") == true
    else { return id.show }
    return Slug(transliterating: showTitle, fallback: showTitle).description
  }

  /// Whether the title of the show is only the host of the video, for want of another one.
  private var isShowOfHost: Bool {
    guard let url = video?.variants.first?.sources.first?.url else { return false }
    return url.contains("://\(showTitle)/") || url.contains("://\(showTitle):")
  }
}

extension EpisodeDescription {
  /// The signs of the description.
  ///
  /// - Parameter keys: its identity keys, and those that its source adds.
  package func signs(_ keys: [IdentityKey]) -> EpisodeSigns {
    var signs = EpisodeSigns()
    signs.keys = Set(keys).union(lookups)
    signs.guidOfAnyFeed = text.feed == nil ? nil : text.guid.flatMap(IdentityKey.item(ofAnyFeed:))
    if let guidOfAnyFeed = signs.guidOfAnyFeed { signs.keys.remove(guidOfAnyFeed) }
    signs.siblings = siblings
    if show != nil || showTitle != nil || id != nil { signs.show = showSlug.description }
    signs.showTitle = exactShowTitle.map(EpisodeSigns.folded(show:))
    (signs.season, signs.number) = (text.season, text.number)
    signs.days = Set([text.date].compactMap(\.self)).union(otherDays)
    signs.isOnlyOfDay = isDaily || isOnlyOfDay
    signs.title = hasMadeTitle ? nil : title.map(EpisodeSigns.folded(title:))
    signs.duration = text.duration ?? video?.variants.lazy.compactMap(\.duration).first
    signs.measuredDuration = measuredDuration
    signs.sizes = sizes.union(video?.variants.compactMap { $0.size?.bytes } ?? [])
    return signs
  }

  /// Whether the title only repeats the number or the day.
  package var hasMadeTitle: Bool {
    title.map { MadeTitle.isOne($0, season: text.season, number: text.number, date: text.date) }
      ?? true
  }
}

/// Titles that tools make of a number or a day, which are no titles of an episode.
package enum MadeTitle {
  /// Whether a title only repeats the number or the day.
  package static func isOne(
    _ title: String, season: Int64?, number: Int64?, date: CalendarDay?
  ) -> Bool {
    // Most titles have too few digits to be a day, and need no further work.
    guard number != nil || title.utf8.count(where: \.isASCIIDigit) >= 8 else { return false }
    let words = title.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" || $0 == "." }
    let text = words.joined()
    if let date, text == date.description.split(separator: "-").joined() { return true }
    guard let number else { return false }
    let padded = Slug.padded(number)
    return [
      "s\(Slug.padded(season ?? 1))e\(padded)", "\(season ?? 1)x\(padded)", "e\(padded)",
      "e\(number)", "ep\(number)", "ep\(padded)", "episode\(number)", "episode\(padded)",
      "folge\(number)", "folge\(padded)", "#\(number)", "\(number)", padded,
    ].contains(text)
  }
}
