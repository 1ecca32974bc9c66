import Testing
import VmxJSON
import VmxModel

@testable import VmxCatalogue

struct TVMazeDecoderTests {
  private func value(_ text: String) throws -> JSONValue { try JSONParser().parse(text) }

  @Test func `a show has its texts without HTML and its times in milliseconds`() throws {
    let show = try #require(
      TVMazeDecoder.show(
        try value(
          """
          {"id":7,"url":"http://www.tvmaze.com/shows/7/harbour-lights","name":"Harbour &amp; Lights",
           "type":"Scripted","language":"German","genres":["Drama","Crime"],"status":"Ended",
           "runtime":50,"averageRuntime":45,"premiered":"2019-02-03","ended":"2021-01-01",
           "network":null,"webChannel":{"name":"Pier","country":{"code":"DE"}},
           "rating":{"average":7.25},"externals":{"imdb":"tt1"},"updated":1600000000,
           "image":{"medium":"http://static.tvmaze.com/m.jpg","original":null},
           "summary":"<p>A <b>port</b>.</p><p>At night.</p>"}
          """)))
    #expect(show.title == "Harbour & Lights" && show.language == "de")
    #expect(show.page == "https://www.tvmaze.com/shows/7/harbour-lights")
    #expect(show.duration == 45 * 60_000 && show.network == "Pier" && show.country == "DE")
    #expect(show.rating == Rating(7.3) && show.imdb == "tt1" && show.genres == ["Drama", "Crime"])
    #expect(show.image?.best == "https://static.tvmaze.com/m.jpg")
    #expect(show.summary == "A port.\n\nAt night.")
    #expect(show.slug.description == "harbour-lights")
    #expect(show.distinctSlug.description == "harbour-lights-2019")
  }

  @Test(
    arguments: [
      #"{"id":1,"name":"A"}"#,
      #"{"id":1,"name":"A","language":null,"runtime":null,"network":null,"image":null,"#
        + #""summary":null,"externals":null,"rating":null,"genres":null,"premiered":""}"#,
      #"{"id":1,"name":"A","genres":"Drama","runtime":"30","image":[],"rating":7,"updated":"x"}"#,
      #"{"score":1.2,"show":{"id":1,"name":"A"}}"#, #"{"_embedded":{"show":{"id":1,"name":"A"}}}"#,
      #"{"name":"A","_links":{"self":{"href":"https://api.tvmaze.com/shows/1"}}}"#,
    ])
  func `a show requires only an id and a name`(text: String) throws {
    #expect(TVMazeDecoder.show(try value(text)) == CatalogueShow(id: 1, title: "A"))
  }

  @Test(
    arguments: ["null", "[]", "{}", #"{"id":0,"name":"A"}"#, #"{"id":1}"#, #"{"id":1,"name":""}"#])
  func `a record without an id or a name is not a show`(text: String) throws {
    #expect(TVMazeDecoder.show(try value(text)) == nil)
  }

  @Test func `the date of an episode comes from its timestamp, not from the broadcaster`() throws {
    let text = #"{"id":3,"name":"Pilot","season":1,"number":1,"airdate":"2008-01-20","#
    let exact = try value(text + #""airstamp":"2008-01-21T03:00:00+00:00","runtime":60}"#)
    let episode = try #require(TVMazeDecoder.episode(exact))
    #expect(episode.date == CalendarDay("2008-01-21") && episode.duration == 3_600_000)
    let zoneless = try value(text + #""airstamp":"2008-01-20T22:00:00"}"#)
    #expect(TVMazeDecoder.episode(zoneless)?.airs == Timestamp("2008-01-20T22:00:00Z"))
    let undated = try value(text + #""airstamp":null}"#)
    #expect(TVMazeDecoder.episode(undated)?.date == CalendarDay("2008-01-20"))
  }

  @Test func `a special has no number, and its id comes from its title`() throws {
    let special = try #require(
      TVMazeDecoder.episode(
        try value(
          #"{"id":9,"name":"The Reunion","season":2,"number":null,"type":"significant_special"}"#)))
    let show = Slug(transliterating: "Girls", fallback: "")
    #expect(special.isSpecial && special.episodeID(show: show).description == "girls/the-reunion")
  }

  @Test func `a credit takes its show from the record or from the link`() throws {
    let embedded = try value(
      #"{"self":false,"voice":true,"_links":{"character":{"name":"Ada"}},"#
        + #""_embedded":{"show":{"id":4,"name":"B"}}}"#)
    let credit = try #require(TVMazeDecoder.credit(embedded, .cast))
    #expect(credit.show.id == 4 && credit.role == "Ada" && credit.isVoice && !credit.isSelf)
    let linked = try value(
      #"{"type":"Writer","_links":{"show":{"href":"https://api.tvmaze.com/shows/5","name":"C"}}}"#)
    #expect(TVMazeDecoder.credit(linked, .crew)?.show == CatalogueShow(id: 5, title: "C"))
    #expect(TVMazeDecoder.credit(linked, .crew)?.role == "Writer")
    #expect(TVMazeDecoder.credit(try value("{}"), .guest) == nil)
  }
}
