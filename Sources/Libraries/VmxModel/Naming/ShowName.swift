/// The title of a show in the name of a file or folder: `Show Name (2020) [tvdbid-1234]`.
struct ShowName: Equatable {
  /// The title including the year, which distinguishes shows of the same name.
  let title: String
  /// The title without the year.
  let show: String

  /// Parses the name of a folder; its dots and underscores belong to the title.
  init(_ folder: some StringProtocol) {
    title = CatalogueHint.removed(from: String(folder))
    show = Self.withoutYear(title)
  }

  /// Parses the name of a folder that vmx has not written. Without a blank, underscores stand for
  /// them.
  init(foreignFolder folder: String) {
    let words = folder.replacing("_", with: " ").trimmed.description
    self.init(folder.contains(" ") || words.isEmpty ? folder : words)
  }

  /// Parses the text before the place of an episode in a name. A release group in brackets is
  /// dropped; dots and underscores separate words if one of them, or a hyphen, precedes the place.
  init(inName text: String) {
    var text = text[...]
    while let first = text.first, "[【".contains(first),
      let end = text.firstIndex(of: first == "[" ? "]" : "】")
    {
      let rest = text[text.index(after: end)...].drop { NameText.separators.contains($0) }
      guard !rest.isEmpty else { break }
      text = rest
    }
    let isDotted = !text.contains(" ")
    let isSpaced = text.last == " " || text.last == "[" || text.last == "("
    while let last = text.last, NameText.separators.contains(last) || "[(".contains(last) {
      text.removeLast()
    }
    let name = isSpaced || !isDotted ? String(text) : Self.spaced(of: text)
    self.init(isDotted ? Self.withYearInBrackets(name) : name)
  }

  /// Returns `Show (2014)` for `Show 2014`: in names with dots the year tells shows apart.
  private static func withYearInBrackets(_ name: String) -> String {
    let words = name.split(separator: " ")
    guard words.count > 1, let last = words.last, last.count == 4, let year = Int64(last),
      (2000...2035).contains(year)
    else { return name }
    return words.dropLast().joined(separator: " ") + " (\(last))"
  }

  /// Returns the text with spaces for dots and underscores. The dots of an abbreviation stay:
  /// `The.Show`, but `S.H.O.W`.
  static func spaced(of text: some StringProtocol) -> String {
    let words = text.split { $0 == "_" || $0 == " " }.flatMap { part in
      part.split(separator: ".").reduce(into: [String]()) { words, word in
        let isAbbreviation = word.count == 1 && words.last?.split(separator: ".").last?.count == 1
        if isAbbreviation, let last = words.popLast() {
          words.append("\(last).\(word)")
        } else {
          words.append(String(word))
        }
      }
    }
    return words.joined(separator: " ")
  }

  /// Removes `(2020)`, `(1996-2007)` and `[2020]` at the end.
  private static func withoutYear(_ title: String) -> String {
    guard let last = title.last, ")]".contains(last),
      let start = title.lastIndex(where: { "([".contains($0) })
    else { return title }
    let years = title[start...].dropFirst().dropLast().split(separator: "-")
    guard (1...2).contains(years.count), years.allSatisfy({ $0.count == 4 }),
      let year = Int64(years[0]), EpisodePlace.isYear(year), years.allSatisfy({ Int64($0) != nil })
    else { return title }
    var show = title[..<start]
    while let last = show.last, " ._".contains(last) { show.removeLast() }
    return show.isEmpty ? title : String(show)
  }
}

/// The ids of catalogues in names, as Jellyfin (`[tvdbid-1]`, `[tmdbid=1]`) and Plex (`{imdb-tt1}`)
/// read them.
enum CatalogueHint {
  private static let ends: [Character: Character] = ["[": "]", "{": "}"]

  /// Whether a bracketed text is an id of a catalogue.
  static func isOne(_ group: some StringProtocol) -> Bool {
    guard let first = group.first, let last = group.last, ends[first] == last else { return false }
    let words = group.dropFirst().dropLast().lowercased().split { "-=".contains($0) }
    return words.count > 1
      && ["tvdb", "tmdb", "imdb", "tvmaze", "anidb"].contains(where: words[0].hasPrefix)
  }

  /// Returns the text without the ids at its end.
  static func removed(from text: String) -> String {
    var rest = text
    while let last = rest.last, let open = ends.first(where: { $0.value == last })?.key,
      let start = rest.lastIndex(of: open), isOne(rest[start...])
    {
      var front = rest[..<start]
      while front.last == " " { front.removeLast() }
      guard !front.isEmpty else { break }
      rest = String(front)
    }
    return rest
  }
}
