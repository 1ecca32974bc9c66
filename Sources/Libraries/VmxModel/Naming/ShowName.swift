/// The title of a show in the name of a file or folder: `Show Name (2020) [tvdbid-1234]`.
struct ShowName: Equatable {
  /// The title including the year, which distinguishes shows of the same name.
  let title: String
  /// The title without the year.
  let show: String

  /// Parses the name of a folder; its dots and underscores belong to the title.
  init(_ folder: some StringProtocol) {
    title = Self.withoutHints(String(folder))
    show = Self.withoutYear(title)
  }

  /// Parses the text before the place of an episode in a name. A release group in brackets is
  /// dropped; dots and underscores separate words if one of them, or a hyphen, precedes the place.
  init(inName text: String) {
    var text = text[...]
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let rest = text[text.index(after: end)...].drop { NameText.separators.contains($0) }
      guard !rest.isEmpty else { break }
      text = rest
    }
    let isSpaced = text.last == " " || text.last == "[" || text.last == "("
    while let last = text.last, NameText.separators.contains(last) || "[(".contains(last) {
      text.removeLast()
    }
    self.init(isSpaced || text.contains(" ") ? String(text) : Self.spaced(of: text))
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

  /// Removes ids of catalogues, as Jellyfin (`[tvdbid-1]`, `[tmdbid=1]`) and Plex (`{imdb-tt1}`)
  /// read them from folder names.
  private static func withoutHints(_ text: String) -> String {
    let ends: [Character: Character] = ["[": "]", "{": "}"]
    var rest = text
    while let last = rest.last, let start = rest.lastIndex(where: { ends[$0] == last }) {
      let words = rest[start...].dropFirst().dropLast().lowercased().split { "-=".contains($0) }
      guard words.count > 1,
        ["tvdb", "tmdb", "imdb", "tvmaze", "anidb"].contains(where: words[0].hasPrefix)
      else { break }
      var front = rest[..<start]
      while front.last == " " { front.removeLast() }
      guard !front.isEmpty else { break }
      rest = String(front)
    }
    return rest
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
