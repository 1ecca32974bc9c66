import VmxModel

/// The technical words in names of releases: `1080p`, `WEB-DL`, `x264`, `[AAC 2.0]`.
enum ReleaseTags {
  private static let words: Set<String> = [
    "4k", "uhd", "hdr", "hdr10", "10bit", "8bit", "hi10", "hi10p", "ma10p", "x264", "x265", "h264",
    "h265", "hevc", "avc", "xvid", "divx", "av1", "vp9", "hdtv", "pdtv", "dsr", "tvrip", "dvdrip",
    "dvdscr", "bdrip", "brrip", "bluray", "bdremux", "remux", "hdrip", "webdl", "webrip", "ntsc",
    "hdlight", "webdlrip", "bdmux", "dvdr", "dvdmux", "satrip", "vhsrip", "uhdrip", "hddvd", "sdtv",
    "dvb", "dvbrip", "vostfr", "vff", "vfq", "truefrench", "subfrench", "fansub", "fastsub",
    "aac", "ac3", "eac3", "ddp", "ddp2", "ddp5", "dd2", "dd5", "dts", "truehd", "flac",
  ]
  /// Words that are tags only before another tag: they are ordinary words elsewhere.
  private static let weakWords: Set<String> = [
    "proper", "repack", "rerip", "internal", "web", "nf", "amzn", "dsnp", "multi", "pal",
  ]
  /// Words that are tags as a whole group: `[BD]`.
  private static let groups: Set<String> = ["bd", "dvd", "web", "tv", "raw", "sub", "dub"]
  /// The heights of bare resolutions, which are tags only before another tag: `1080.x264`.
  private static let heights: Set<String> = ["480", "576", "720", "1080", "2160"]

  /// Whether a number is the height of a resolution.
  static func isHeight(_ number: Int64) -> Bool { heights.contains("\(number)") }

  /// Returns the position of the first tag from a position on, or the end of the name.
  static func start(in name: NameText, from position: Int) -> Int {
    let words = wordRanges(in: name, from: position)
    guard var index = words.indices.first(where: { isTag(in: name, words[$0...]) }) else {
      return name.end
    }
    while index > 0, weakWords.contains(name.lowercased(words[index - 1])) { index -= 1 }
    return words[index].lowerBound
  }

  /// Whether the word that begins at a position is a tag.
  static func isTag(in name: NameText, at position: Int) -> Bool {
    let word = wordEnd(in: name, position)
    guard word > position else { return false }
    let next = (word..<name.end).first { name.isWord($0) } ?? name.end
    let second = next..<wordEnd(in: name, next)
    return isTag(in: name, [position..<word, second][...])
      || weakWords.contains(
        name.lowercased(position..<word)) && second.lowerBound < name.end
        && isTag(in: name, at: second.lowerBound)
  }

  /// Whether a range of a name contains a tag.
  static func isIn(_ name: NameText, _ range: Range<Int>) -> Bool {
    start(in: NameText(name.text(range)), from: 0) < range.count
  }

  private static func wordEnd(in name: NameText, _ start: Int) -> Int {
    var end = start
    while name.isWord(end) { end += 1 }
    return end
  }

  /// Returns the name from a position on without the bracketed groups that contain a tag.
  static func withoutGroups(_ name: NameText, from start: Int) -> String {
    var kept = ""
    var position = start
    while position < name.end {
      if let end = name.groupEnd(at: position),
        isIn(name, position..<end) || groups.contains(name.lowercased(position + 1..<end - 1))
          || CatalogueHint.isOne(name.text(position..<end))
      {
        while kept.last == " " { kept.removeLast() }
        position = end
      } else {
        kept.append(name.characters[position])
        position += 1
      }
    }
    return kept
  }

  private static func isTag(in name: NameText, _ words: ArraySlice<Range<Int>>) -> Bool {
    guard let first = words.first, first.count <= maxLength else { return false }
    let word = name.lowercased(first)
    if self.words.contains(word) || name.digit(first.lowerBound) && isResolution(word) {
      return true
    }
    guard let second = words.dropFirst().first else { return false }
    switch word {
    case "h": return ["264", "265"].contains(name.lowercased(second))
    case "web": return ["dl", "rip"].contains(name.lowercased(second))
    case "blu": return name.lowercased(second) == "ray"
    default: break
    }
    if heights.contains(word) {
      let next = name.lowercased(second)
      return second.lowerBound == first.upperBound + 1 && name[first.upperBound] != "["
        && (self.words.contains(next) || ["h", "web"].contains(next))
    }
    return ProgrammeID.isOne(name.text(first)) && versions.contains(name.lowercased(second))
  }

  /// The length of the longest tag, and of the longest id of a programme.
  private static let maxLength = 15

  /// `1080p`, `1280x720`.
  private static func isResolution(_ word: String) -> Bool {
    if (4...5).contains(word.count), ["p", "i"].contains(word.last) {
      return word.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
    }
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    return sides.count == 2 && sides.allSatisfy { (3...4).contains($0.count) && Int64($0) != nil }
  }

  /// The versions of programmes at the end of the names of get_iplayer: `b01nnwkx_original`.
  private static let versions: Set<String> = [
    "original", "signed", "audiodescribed", "editorial", "shortened", "iplayer", "technical",
  ]

  private static func wordRanges(in name: NameText, from start: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = start
    while position < name.end {
      let end = (position..<name.end).first { !name.isWord($0) } ?? name.end
      if end > position { ranges.append(position..<end) }
      position = end + 1
    }
    return ranges
  }
}

/// The ids of the BBC's programmes, which get_iplayer writes behind titles: `b01nnwkx`.
package enum ProgrammeID {
  /// Whether a word has the form of an id: 8 to 15 small letters and digits, at least one digit.
  package static func isOne(_ word: some StringProtocol) -> Bool {
    (8...15).contains(word.utf8.count) && word.first.map { "bpmwln".contains($0) } ?? false
      && word.utf8.contains(where: \.isASCIIDigit)
      && word.utf8.allSatisfy { $0.isASCIIAlphanumeric && !(0x41...0x5A).contains($0) }
  }
}
