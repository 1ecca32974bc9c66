import Testing
import VmxJSON
import VmxModel
import VmxTestSupport

@testable import VmxCatalogue

/// Recorded responses of the catalogue, and those from the tests of another client.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealTVMazeTests {
  private func rows(_ name: String) throws -> [JSONValue] {
    let value = try JSONParser().parse(RealData.bytes("tvmaze/\(name).json"))
    return value.array ?? [value]
  }

  @Test(
    arguments: [
      "recorded/search-shows-girls-2021", "recorded/shows-1-2019", "recorded/shows-526-2024",
      "client-fixtures/Show/EmbeddedEpisodes", "client-fixtures/Show/List",
      "client-fixtures/Show/ResultList", "client-fixtures/Show/Show",
    ])
  func `every show is read with its page, summary and image`(name: String) throws {
    let rows = try rows(name)
    let shows = rows.compactMap { TVMazeDecoder.show($0) }
    #expect(shows.count == rows.count && !shows.isEmpty)
    #expect(shows.allSatisfy { $0.page != nil && $0.summary != nil && $0.image != nil })
    #expect(shows.allSatisfy { $0.language == "en" && $0.genres.count > 0 && $0.updated != nil })
    #expect(shows.allSatisfy { $0.summary?.contains("<") == false })
  }

  @Test(arguments: ["recorded/episodes-2020", "client-fixtures/Episode/List"])
  func `every episode is read with its number, time and image`(name: String) throws {
    let rows = try rows(name)
    let episodes = rows.compactMap { TVMazeDecoder.episode($0) }
    #expect(episodes.count == rows.count)
    #expect(episodes.allSatisfy { $0.season != nil && $0.number != nil && $0.airs != nil })
    #expect(episodes.allSatisfy { $0.image?.best?.hasPrefix("https://") == true })
  }

  @Test func `the show of an episode and the episodes of a show are read`() throws {
    let episode = try #require(
      try rows("client-fixtures/Episode/EmbeddedShow").first.flatMap { TVMazeDecoder.episode($0) })
    #expect(episode.show?.title == "Show 1" && episode.show?.id == 1)
    let embedded = try rows("client-fixtures/Show/EmbeddedEpisodes")[0].object?["_embedded"]
    let episodes = embedded?.object?["episodes"]?.array ?? []
    #expect(!episodes.isEmpty && episodes.allSatisfy { TVMazeDecoder.episode($0) != nil })
  }

  @Test func `people and credits are read`() throws {
    let people = try rows("client-fixtures/People/PersonResultList")
    let found = people.compactMap { TVMazeDecoder.person($0) }
    #expect(found.count == people.count && found[0].born == CalendarDay("1950-01-15"))
    #expect(found[0].country == "United States" && found[0].image != nil)
    let credits = try rows("client-fixtures/People/CastCreditListEmbeddedShow")
    let read = credits.compactMap { TVMazeDecoder.credit($0, .cast) }
    #expect(read.count == credits.count && read[0].role == "Character 1")
  }

  @Test(
    arguments: [
      ("400-embed", ErrorCode.catalogueUnreadable), ("404-show", .notInCatalogue),
      ("404-singlesearch", .catalogueUnreadable),
    ])
  func `error bodies are refused with their message`(name: String, code: ErrorCode) throws {
    let body = try RealData.bytes("tvmaze/recorded/errors/\(name).json")
    let failure = CatalogueRefusal(body).failure("show 1")
    #expect(failure.code == code)
    if name == "400-embed" { #expect(failure.summary.hasSuffix("status 400: Invalid embed type")) }
  }
}
