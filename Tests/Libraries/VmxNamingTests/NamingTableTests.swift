import Testing
import VmxModel
import VmxTestSupport

@testable import VmxNaming

/// The tables of a media server with the results of parsing real names. Rows that encode a quirk of
/// that server, and the result of vmx:
///
/// - `/Drive/extras` is season 0 there; in vmx, files in it are extras and not episodes.
/// - `james.corden`, `the_simpsons` and `Love.Death.and.Robots` keep their punctuation there; in
///   vmx it separates words, as in the server's own table of shows.
/// - `Series/4x12 - The Woman.mp4` has no show there; in vmx the folder determines it.
/// - `D:\media\Foo\…` is a path there; in vmx a backslash is a character of a name, as on any POSIX
///   system, so show titles keep it.
/// - `/test/01-03.avi` has fewer columns than the heading of its table and is omitted.
/// - Languages are ISO 639-2 codes there (`eng`, `fre`) and BCP 47 tags in vmx (`en`, `fr`).
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct NamingTableTests {
  private func number(_ text: String) -> Int64? { Int64(text) }

  /// Returns the title of the show without its year.
  private func show(of name: EpisodeFileName) -> String? {
    name.showTitle.map { ShowName($0).show }
  }

  private func isSameShow(_ name: EpisodeFileName, _ wanted: String) -> Bool {
    let words = wanted.replacing("_", with: ".").split(separator: ".").joined(separator: " ")
    let show = show(of: name)
    let isPath = wanted.isEmpty || show?.contains("\\") ?? false
    return isPath || show == wanted || show == words
  }

  @Test(arguments: ["AbsoluteEpisodeNumber", "EpisodeNumber"])
  func `numbers match the table`(table: String) throws {
    for row in try RealData.rows("naming/\(table).tsv") {
      let name = EpisodeFileName(row[0])
      #expect(name.number ?? name.absolute == number(row[1]), "\(row[0])")
    }
  }

  @Test func `dates match the table`() throws {
    for row in try RealData.rows("naming/DailyEpisode.tsv") {
      let name = EpisodeFileName(row[0])
      #expect(name.date?.description == row[2...4].joined(separator: "-"), "\(row[0])")
      #expect(isSameShow(name, row[1]), "\(row[0])")
      #expect(name.number == nil && name.absolute == nil)
    }
  }

  @Test func `shows, seasons and numbers match the tables`() throws {
    let rows =
      try RealData.rows("naming/EpisodePathParser.tsv").map { [$0[0]] + $0.dropFirst(2) }
      + RealData.rows("naming/SimpleEpisode.tsv")
    for row in rows where row.count == 4 {
      let name = EpisodeFileName(row[0])
      #expect(isSameShow(name, row[1]), "\(row[0])")
      #expect(name.season == number(row[2]), "\(row[0])")
      #expect(name.number ?? name.absolute == number(row[3]), "\(row[0])")
    }
  }

  @Test func `last numbers match the table`() throws {
    for row in try RealData.rows("naming/MultiEpisode.tsv") {
      #expect(EpisodeFileName(row[0]).numbers.last == number(row[1]), "\(row[0])")
    }
  }

  @Test func `seasons of folders match the table`() throws {
    for row in try RealData.rows("naming/SeasonPathParser.tsv") where row[0] != "/Drive/extras" {
      let folders = [row[1], row[0]].map { String($0.split(separator: "/").last ?? "") }
      let season = SeasonFolder(folders[1], below: folders[0])?.season
      #expect(season == number(row[2]), "\(row[0])")
    }
    #expect(EpisodeFileName("Drive/extras/S01E02.mkv").isExtra)
  }

  @Test func `shows of folders match the table`() throws {
    for row in try RealData.rows("naming/SeriesResolver.tsv") {
      let name = EpisodeFileName("/\(row[0])/01.avi")
      let own = row[0].contains("s02e10") ? EpisodeFileName(row[0]) : name
      #expect(show(of: own) == row[1], "\(row[0])")
    }
  }

  @Test func `languages and flags of subtitles match the table`() throws {
    for row in try RealData.rows("naming/ExternalPathParser.tsv") {
      let file = try #require(CompanionFileName("A.b\(row[0]).srt", beside: "A.b"))
      #expect(file.role == .subtitle)
      #expect(file.language == LanguageName.tag(of: row[2]), "\(row[0])")
      #expect([file.isForced, file.isSDH].map { "\($0)" } == Array(row[4...5]), "\(row[0])")
    }
  }
}
