import Testing
import VmxModel

@testable import VmxMarkup

struct NFOMergeTests {
  private let foreign = """
    <userrating>8</userrating><tagline>So it goes</tagline><credits>W</credits>
    <director>D</director><actor><name>N &amp; M</name><role>R</role><order>0</order>
    <thumb>http://p.example/a.jpg</thumb></actor>
    <uniqueid type="tvdb">7</uniqueid><uniqueid type="imdb">tt7</uniqueid>
    <art><poster>http://p.example/p.jpg</poster></art>
    <thumb aspect="thumb" preview="x">http://p.example/t.jpg</thumb><unknown a="1" b="2"/>
    """

  private func document(_ text: String) throws -> NFODocument {
    let bytes = Array("<episodedetails>\(text)</episodedetails>".utf8)
    return try #require(try NFOContents(bytes, keepsElements: true).documents.first)
  }

  private func merge(
    _ ours: String, _ theirs: String, before: String? = nil
  ) throws -> NFOMerge {
    try NFOMerge(document(ours), keeping: document(theirs), before: before.map(document))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `every element of another program stays, however often the file is written`() throws {
    var text = text(try merge("<title>A</title>", "<title>B</title>" + foreign).takingOver())
    for title in ["C", "D"] {
      let there = try #require(
        try NFOContents(Array(text.utf8), keepsElements: true).documents.first)
      let ours = try document("<title>\(title)</title>")
      text = self.text(try NFOMerge(ours, keeping: there, before: ours).takingOver())
    }
    #expect(text.contains("<title>D</title>") && !text.contains("<title>B</title>"))
    for part in [
      "<userrating>8</userrating>", "<tagline>So it goes</tagline>", "<credits>W</credits>",
      "<director>D</director>", "<name>N &amp; M</name>", "<role>R</role>", "<order>0</order>",
      "<thumb>http://p.example/a.jpg</thumb>", #"<uniqueid type="tvdb">7</uniqueid>"#,
      #"<uniqueid type="imdb">tt7</uniqueid>"#, "<poster>http://p.example/p.jpg</poster>",
      #"<thumb preview="x" aspect="thumb">http://p.example/t.jpg</thumb>"#,
      #"<unknown b="2" a="1"/>"#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `a generated document without foreign elements keeps its bytes`() throws {
    var episode = Episode(
      id: try EpisodeID("show/s01e02"), title: "A", showTitle: "S", added: Timestamp(seconds: 0),
      parts: [])
    (episode.season, episode.number, episode.rating) = (1, 2, Rating(8.1))
    (episode.summary, episode.tvmaze) = ("Two\nlines", 7)
    let bytes = try EpisodeNFO.bytes(of: episode)
    let ours = try #require(try NFOContents(bytes, keepsElements: true).documents.first)
    #expect(try NFOMerge(ours, keeping: ours, before: ours).takingOver() == bytes)
    #expect(try NFOMerge.isMerged(bytes, ours))
    var show = LibraryShow(slug: "show", title: "A")
    (show.summary, show.genres, show.network, show.tvmaze) = ("P", ["G", "H"], "N", 7)
    let written = try EpisodeNFO.show(show, titled: "A")
    let document = try #require(try NFOContents(written, keepsElements: true).documents.first)
    #expect(try NFOMerge.isMerged(written, document))
  }

  @Test func `a removed value goes, and one that only the file has stays`() throws {
    let there = "<title>A</title><plot>P</plot><studio>S</studio><studio>T</studio>"
    let text = text(
      try merge("<title>A</title>", there, before: "<title>A</title><plot>P</plot>").takingOver())
    #expect(!text.contains("<plot>"))
    #expect(text.contains("<studio>S</studio>\n  <studio>T</studio>"))
  }

  @Test func `a count of plays stays as long as the episode is watched`() throws {
    let ours = "<playcount>1</playcount><lastplayed>2024-05-01 10:00:00</lastplayed>"
    let theirs = "<playcount>3</playcount><lastplayed>2024-04-01 10:00:00</lastplayed>"
    let watched = text(try merge(ours, theirs).takingOver())
    #expect(watched.contains("<playcount>3</playcount>"))
    #expect(watched.contains("<lastplayed>2024-05-01 10:00:00</lastplayed>"))
    let unwatched = text(try merge("<title>A</title>", theirs).takingOver())
    #expect(!unwatched.contains("playcount") && !unwatched.contains("lastplayed"))
  }

  // Regression: Kodi ignored a position without the playing time, which only its own file had.
  @Test func `a position without a playing time gets that of the other document`() throws {
    let theirs = "<resume><position>600</position><total>1800</total></resume>"
    let merged = text(try merge("<resume><position>300</position></resume>", theirs).takingOver())
    #expect(merged.contains("<position>300</position>\n    <total>1800</total>"))
    let known = "<resume><position>300</position><total>900</total></resume>"
    #expect(text(try merge(known, theirs).takingOver()).contains("<total>900</total>"))
    #expect(!text(try merge("<title>A</title>", theirs).takingOver()).contains("total"))
  }

  @Test func `ratings of several sites stay beside the one of the record`() throws {
    func rating(_ name: String, _ value: String, _ more: String = "") -> String {
      #"<rating name="\#(name)" max="10"\#(more)><value>\#(value)</value></rating>"#
    }
    let theirs =
      "<ratings>" + rating("imdb", "7.94", #" default="true""#) + rating("tmdb", "6.5")
      + "</ratings>"
    let same = "<ratings>" + rating("default", "7.9", #" default="true""#) + "</ratings>"
    #expect(text(try merge(same, theirs).takingOver()).contains("<value>7.94</value>"))
    let other = "<ratings>" + rating("default", "5.0", #" default="true""#) + "</ratings>"
    let merged = try merge(other, theirs).takingOver()
    #expect(try NFOContents(merged).documents.first?.rating == 5)
    #expect(text(merged).contains("<value>7.94</value>"))
    #expect(text(merged).contains("<value>6.5</value>"))
  }

  @Test func `an edited file keeps its texts, and gets what has changed in the record`() throws {
    let before = "<title>A</title><plot>P</plot><season>1</season>"
    let edited = "<title>Mine</title><plot>P</plot><season>1</season>" + foreign
    let ours = "<title>B</title><plot>Q</plot><season>2</season><playcount>1</playcount>"
    let text = text(
      try merge(ours, edited, before: before).updatingEdited(keepsMarks: false))
    for part in ["<title>Mine</title>", "<plot>Q</plot>", "<season>2</season>", "userrating>8"] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.contains("<playcount>1</playcount>"))
  }

  @Test func `newer marks of a player stay in its file`() throws {
    let edited = "<title>A</title><playcount>2</playcount><lastplayed>2024-05-01</lastplayed>"
    let merge = try merge("<title>A</title>", edited)
    #expect(text(try merge.updatingEdited(keepsMarks: true)).contains("<playcount>2</playcount>"))
    #expect(!text(try merge.updatingEdited(keepsMarks: false)).contains("playcount"))
  }

  @Test func `dates that stand for none go, and so does what exceeds the limit`() throws {
    let long = String(repeating: "x", count: NFOMerge.maxKept)
    let theirs =
      "<premiered>1970-01-01</premiered><year>1970</year><dateadded>1601-01-01</dateadded>"
      + "<tagline>\(long)</tagline><userrating>3</userrating><empty></empty>"
    let text = text(try merge("<title>A</title>", theirs).takingOver())
    #expect(!text.contains("1970") && !text.contains("1601") && !text.contains("empty"))
    #expect(!text.contains("tagline") && text.contains("<userrating>3</userrating>"))
  }
}
