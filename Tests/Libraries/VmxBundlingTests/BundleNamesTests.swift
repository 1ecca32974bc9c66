import Testing
import VmxModel

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

  /// libarchive writes names in NFC, so a manifest in NFD named files that no archive had.
  @Test func `names are in NFC, as archivers write them`() {
    let found = paths([("Cafe\u{301}", "Cafe\u{301} \u{1112}\u{1161}\u{11AB}")])
    #expect(Array(found[0].utf8).starts(with: Array("data/Caf\u{E9}/Caf\u{E9} - Caf\u{E9}".utf8)))
    #expect(found[0].unicodeScalars.contains("\u{D55C}"))
  }

  /// `sha256sum -c` and bagit.py look for a file that is called `%25`.
  @Test func `a percent sign is written as its full-width form`() {
    #expect(paths([("Show", "100% Wolf")])[0].contains("100\u{FF05} Wolf"))
  }

  /// An export of both was refused by its own writer.
  @Test func `shows that differ only in case share the folder of the first`() {
    let found = paths([("Cafe", "One"), ("CAFE", "Two"), ("cafe", "ONE")])
    #expect(found.allSatisfy { $0.hasPrefix("data/Cafe/") })
    #expect(Set(found.map { $0.lowercased() }).count == 3)
  }

  @Test func `names that fold to one get numbers`() {
    let found = paths([("Show", "Stra\u{DF}e"), ("Show", "STRASSE")])
    #expect(found[1].contains(" (2)"), "\(found)")
  }
}
