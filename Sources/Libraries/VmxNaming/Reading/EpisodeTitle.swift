import VmxModel

/// The title of an episode after its place.
enum EpisodeTitle {
  /// Returns the title: the rest after ` - ` without bracketed technical groups, or the words up to
  /// the first technical one; nil if nothing is left.
  static func text(_ name: NameText, behind place: EpisodePlace) -> String? {
    var start = place.range.upperBound
    while let mark = name[start], "])}".contains(mark) { start += 1 }
    guard !name.isSpacedHyphen(start) || name[start] == "." else {
      let title = withoutQuality(ReleaseTags.withoutGroups(name, from: start + 3))
      let words = name[start] == "_" ? title.replacing("_", with: " ") : title
      return words.contains { $0.isLetter || $0.isNumber } ? trimmed(words, " ") : nil
    }
    // Groups in brackets behind a number are no title: `Show Episode 5 [English Dub]`.
    start = name.skipSeparators(from: start)
    while let end = name.groupEnd(at: start) { start = name.skipSeparators(from: end) }
    // `05 END [720p]`, but `S01E02 Final [720p]`.
    guard place.bareNumber == nil || !EpisodePlace.endsTitle(name, start) else { return nil }
    let end = max(start, ReleaseTags.start(in: name, from: start))
    let text = trimmed(name.text(start..<end), " ._-–[({,:：")
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return text.contains(" ") ? text : ShowName.spaced(of: text)
  }

  /// Removes the quality that Sonarr writes behind a title, and the words after it:
  /// `Title WEBDL-1080p Proper`.
  private static func withoutQuality(_ title: String) -> String {
    var end = title.startIndex
    for word in title.split(separator: " ") {
      let parts = word.lowercased().split(separator: "-")
      if parts.count == 2, qualities.contains(String(parts[0])), parts[1].last == "p",
        parts[1].dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
      {
        return String(title[..<word.startIndex])
      }
      end = word.endIndex
    }
    return String(title[..<end])
  }

  private static let qualities: Set<String> = [
    "webdl", "webrip", "hdtv", "bluray", "dvd", "sdtv", "remux", "raw",
  ]

  private static func trimmed(_ text: String, _ marks: String) -> String {
    var rest = Substring(text)
    while let first = rest.first, marks.contains(first), first != "[", first != "(" {
      rest.removeFirst()
    }
    while let last = rest.last, marks.contains(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Folders between a season and its files: `720p`, `Episode 05`.
enum InnerFolder {
  /// Whether a folder names one episode by a word, or consists of technical words.
  static func isOne(_ folder: String) -> Bool {
    let name = NameText(folder)
    let word = name.letters(at: 0)
    if EpisodePlace.episodeWords.contains(word),
      let number = name.number(at: name.skipSeparators(from: word.count), digits: 1...4),
      number.end == name.end
    {
      return true
    }
    return name.end > 0 && ReleaseTags.start(in: name, from: 0) == 0
      && name.number(at: 0, digits: 1...2) == nil
  }
}

/// Names of trailers, samples and other extras, as Jellyfin and Plex read them.
enum ExtraNames {
  private static let folders: Set<String> = [
    "trailers", "behind the scenes", "deleted scenes", "featurettes", "interviews", "scenes",
    "shorts", "extras", "other", "samples", "sample", "clips", "backdrops", "theme-music",
  ]
  private static let suffixes = [
    "trailer", "sample", "behindthescenes", "deleted", "deletedscene", "featurette", "interview",
    "scene", "short", "other", "clip", "extra",
  ]

  static func isFolder(_ name: String) -> Bool { folders.contains(name.lowercased()) }

  static func isStem(_ stem: String) -> Bool {
    let stem = stem.lowercased()
    return ["sample", "trailer", "theme"].contains(stem) || stem.hasSuffix(".sample")
      || stem.hasSuffix(".trailer") || suffixes.contains { stem.hasSuffix("-\($0)") }
  }
}
