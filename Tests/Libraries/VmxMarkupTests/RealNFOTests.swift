import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMarkup

/// NFO files of other programs.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealNFOTests {
  private func contents(_ name: String) throws -> NFOContents {
    try NFOContents(RealData.bytes("nfo/\(name).nfo"))
  }

  @Test func `every file is understood`() throws {
    let names = RealData.names(in: "nfo")
    #expect(!names.isEmpty)
    for name in names {
      let contents = try NFOContents(RealData.bytes("nfo/\(name)"))
      #expect(contents.isWellFormed, "\(name)")
    }
  }

  @Test func `a show, a season and an episode have their fields`() throws {
    let show = try #require(try contents("American Gods").documents.first)
    #expect(show.kind == .show && show.title == "American Gods" && show.season == 2)
    #expect(show.number == 16 && show.rating == 6.8 && show.duration == nil)
    #expect(show.summary?.hasSuffix("Neil Gaiman's fantasy novel.") == true)
    let season = try #require(try contents("Season 01").documents.first)
    #expect(season.kind == .season && season.season == 1 && season.year == 2019)
    #expect(season.ids == ["tvdb": "359728"] && season.date == CalendarDay("2019-11-08"))
    let episode = try #require(try contents("The Bone Orchard").documents.first)
    #expect(episode.kind == .episode && episode.showTitle == "American Gods")
    #expect(episode.season == 1 && episode.number == 1 && episode.lastNumber == 1)
    #expect(episode.ids == ["tmdb": "1276153", "imdb": "tt5017734"] && episode.rating == 7.532)
    #expect(episode.date == CalendarDay("2017-04-30") && episode.isWatched == false)
    #expect(episode.position == nil && episode.duration == nil)
  }

  @Test func `four episodes stand in one file`() throws {
    let episodes = try contents("Stargate Atlantis S01E01-E04").documents
    #expect(episodes.map(\.number) == [1, 2, 3, 4])
    #expect(episodes.map(\.title) == ["Rising", nil, "Hide and Seek", "Thirty-Eight Minutes"])
    #expect(episodes.map(\.originalTitle)[1] == "Rising (2)")
    #expect(episodes.map(\.rating) == [8, 7.9, 7.5, 7.5])
    #expect(episodes.map(\.isWatched) == [false, false, false, false])
  }

  @Test func `films are told apart from episodes`() throws {
    #expect(try contents("CommunityRating_Comma").documents.first?.rating == 7.5)
    #expect(try contents("Fanart").documents.map(\.kind) == [.movie])
    for links in ["Imdb", "Radarr", "Tvdb"] { #expect(try contents(links).documents.isEmpty) }
  }
}
