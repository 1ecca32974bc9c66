import Testing
import VmxModel
import VmxNaming
import VmxTestSupport

@testable import VmxBundling

struct BundleNamesTests {
  private func paths(_ titles: [(show: String, title: String)]) -> [String] {
    var names = BundleNames(.kodi)
    return titles.enumerated().map { number, title in
      let episode = Episode(
        id: EpisodeID(valid: "show/e\(number)") ?? .unknown, title: title.title,
        showTitle: title.show, added: Timestamp(seconds: 0),
        parts: [Part(role: .video, variants: [])])
      return names.paths(of: episode)["video"] ?? ""
    }
  }

  /// libarchive writes names in NFC. Regression: a manifest in NFD named files that no archive
  /// contained.
  @Test func `names are in NFC, as archivers write them`() {
    let found = paths([("Cafe\u{301}", "Cafe\u{301} \u{1112}\u{1161}\u{11AB}")])
    #expect(Array(found[0].utf8).starts(with: Array("data/Caf\u{E9}/Caf\u{E9} - Caf\u{E9}".utf8)))
    #expect(found[0].unicodeScalars.contains("\u{D55C}"))
  }

  /// `sha256sum -c` and bagit.py look for a file literally named `%25`.
  @Test func `a percent sign is written as its full-width form`() {
    #expect(paths([("Show", "100% Wolf")])[0].contains("100\u{FF05} Wolf"))
  }

  /// Regression: the writer refused an export that contained both shows.
  @Test func `shows that differ only in case share the folder of the first`() {
    let found = paths([("Cafe", "One"), ("CAFE", "Two"), ("cafe", "ONE")])
    #expect(found.allSatisfy { $0.hasPrefix("data/Cafe/") })
    #expect(Set(found.map { $0.lowercased() }).count == 3)
  }

  @Test func `names that fold to one get numbers`() {
    let found = paths([("Show", "Stra\u{DF}e"), ("Show", "STRASSE")])
    #expect(found[1].contains(" (2)"), "\(found)")
  }

  private struct Place: CustomStringConvertible {
    var show: String
    var season: Int64?
    var number: Int64?
    var date: CalendarDay?

    var description: String { "\(show) \(season ?? -1) \(number ?? -1) \(date?.description ?? "")" }
  }

  /// The episodes in the tables of a media server, if their place in the show is stated.
  private func places() throws -> [Place] {
    let numbered =
      try RealData.rows("naming/EpisodePathParser.tsv").map { Array($0.dropFirst(2)) }
      + RealData.rows("naming/SimpleEpisode.tsv").map { Array($0.dropFirst()) }
    let dated = try RealData.rows("naming/DailyEpisode.tsv").map { Array($0.dropFirst()) }
    return numbered.filter { $0.count == 3 && !$0[0].isEmpty }
      .map { Place(show: $0[0], season: Int64($0[1]), number: Int64($0[2])) }
      + dated.map { Place(show: $0[0], date: CalendarDay($0[1...3].joined(separator: "-"))) }
  }

  @Test(
    .enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)),
    arguments: ["", "100% of 3"])
  func `the names of a bundle are read back as what they name`(title: String) throws {
    let places = try places()
    try #require(places.count > 15)
    for place in places {
      var episode = Episode(
        id: .unknown, title: title, showTitle: place.show, added: Timestamp(seconds: 0),
        parts: [Part(role: .video, variants: [])])
      (episode.season, episode.number, episode.date) = (place.season, place.number, place.date)
      for layout in [BundleContent.Layout.kodi, .flat] {
        var names = BundleNames(layout)
        let path = try #require(names.paths(of: episode)["video"])
        let read = EpisodeFileName(path)
        #expect(read.season == place.season ?? 1 || place.date != nil, "\(path)")
        #expect(read.number ?? read.absolute == place.number, "\(path)")
        #expect(read.date == place.date, "\(path)")
      }
    }
  }
}
