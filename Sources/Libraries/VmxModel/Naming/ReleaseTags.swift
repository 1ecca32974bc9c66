/// The technical words in names of releases: `1080p`, `WEB-DL`, `x264`, `[AAC 2.0]`.
enum ReleaseTags {
  private static let words: Set<String> = [
    "4k", "uhd", "hdr", "hdr10", "10bit", "8bit", "hi10", "hi10p", "ma10p", "x264", "x265", "h264",
    "h265", "hevc", "avc", "xvid", "divx", "av1", "vp9", "hdtv", "pdtv", "dsr", "tvrip", "dvdrip",
    "dvdscr", "bdrip", "brrip", "bluray", "bdremux", "remux", "hdrip", "webdl", "webrip", "ntsc",
    "aac", "ac3", "eac3", "ddp", "ddp2", "ddp5", "dd2", "dd5", "dts", "truehd", "flac",
  ]
  /// Words that are tags only before another tag: they are ordinary words elsewhere.
  private static let weakWords: Set<String> = [
    "proper", "repack", "rerip", "internal", "web", "nf", "amzn", "dsnp", "multi", "pal",
  ]
  private static let brackets: [Character: Character] = ["[": "]", "(": ")", "{": "}"]

  /// Returns the position of the first tag from a position on, or the end of the name.
  static func start(in name: NameText, from place: Int) -> Int {
    let words = wordRanges(in: name, from: place)
    guard var index = words.indices.first(where: { isTag(in: name, words[$0...]) }) else {
      return name.end
    }
    while index > 0, weakWords.contains(name.text(words[index - 1]).lowercased()) { index -= 1 }
    return words[index].lowerBound
  }

  /// Returns the name from a position on without the bracketed groups that contain a tag.
  static func withoutGroups(_ name: NameText, from start: Int) -> String {
    var kept = ""
    var place = start
    while place < name.end {
      if let end = group(in: name, at: place),
        self.start(in: NameText(name.text(place..<end)), from: 0) < end - place
      {
        while kept.last == " " { kept.removeLast() }
        place = end
      } else {
        kept.append(name.characters[place])
        place += 1
      }
    }
    return kept
  }

  /// Returns the end of the bracketed group that begins at a position.
  private static func group(in name: NameText, at place: Int) -> Int? {
    guard let close = name[place].flatMap({ brackets[$0] }) else { return nil }
    return (place..<name.end).first { name[$0] == close }.map { $0 + 1 }
  }

  private static func isTag(in name: NameText, _ words: ArraySlice<Range<Int>>) -> Bool {
    guard let first = words.first else { return false }
    let word = name.text(first).lowercased()
    let next = words.dropFirst().first.map { name.text($0).lowercased() } ?? ""
    switch word {
    case "h": return ["264", "265"].contains(next)
    case "web": return ["dl", "rip"].contains(next)
    case "blu": return next == "ray"
    default:
      let isResolution =
        (4...5).contains(word.count) && ["p", "i"].contains(word.last)
        && word.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
      return isResolution || self.words.contains(word)
    }
  }

  private static func wordRanges(in name: NameText, from start: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var place = start
    while place < name.end {
      let end = (place..<name.end).first { !name.isWord($0) } ?? name.end
      if end > place { ranges.append(place..<end) }
      place = end + 1
    }
    return ranges
  }
}
