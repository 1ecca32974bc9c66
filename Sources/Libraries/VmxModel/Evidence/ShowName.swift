/// The title of a show in the name of a file or folder: `Show Name (2020) [tvdbid-1234]`.
package struct ShowName: Equatable {
  /// The title including the year, which distinguishes shows of the same name.
  package let title: String
  /// The title without the year.
  package let show: String

  /// Parses the name of a folder; its dots and underscores belong to the title.
  package init(_ folder: some StringProtocol) {
    title = CatalogueHint.removed(from: String(folder))
    show = Self.withoutYear(title)
  }

  /// Removes `(2020)`, `(1996-2007)` and `[2020]` at the end.
  private static func withoutYear(_ title: String) -> String {
    guard let last = title.last, ")]".contains(last),
      let start = title.lastIndex(where: { "([".contains($0) })
    else { return title }
    let years = title[start...].dropFirst().dropLast().split(separator: "-")
    guard (1...2).contains(years.count), years.allSatisfy({ $0.count == 4 }),
      let year = Int64(years[0]), CalendarDay.isYear(year), years.allSatisfy({ Int64($0) != nil })
    else { return title }
    var show = title[..<start]
    while let last = show.last, " ._".contains(last) { show.removeLast() }
    return show.isEmpty ? title : String(show)
  }
}

/// The ids of catalogues in names, as Jellyfin (`[tvdbid-1]`, `[tmdbid=1]`) and Plex (`{imdb-tt1}`)
/// read them.
package enum CatalogueHint {
  private static let ends: [Character: Character] = ["[": "]", "{": "}"]

  /// Whether a bracketed text is an id of a catalogue.
  package static func isOne(_ group: some StringProtocol) -> Bool {
    guard let first = group.first, let last = group.last, ends[first] == last else { return false }
    let words = group.dropFirst().dropLast().lowercased().split { "-=".contains($0) }
    return words.count > 1
      && ["tvdb", "tmdb", "imdb", "tvmaze", "anidb"].contains(where: words[0].hasPrefix)
  }

  /// Returns the text without the ids at its end.
  package static func removed(from text: String) -> String {
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
