import CXml
import Glibc
import Testing
import VmxModel

@testable import VmxMarkup

struct EpisodeNFOTests {
  private func episode(_ title: String) throws -> Episode {
    Episode(
      id: try EpisodeID("show/s01e02"), title: title, showTitle: "Show & Tell",
      added: Timestamp(seconds: 0), parts: [])
  }

  /// Returns the texts of the elements below the root, as read by a strict parser.
  private func elements(_ bytes: [UInt8]) throws -> [String: String] {
    let document = bytes.withUnsafeBytes { bytes in
      xmlReadMemory(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil, nil,
        Int32(XML_PARSE_NONET.rawValue))
    }
    defer { xmlFreeDoc(document) }
    let root = try #require(xmlDocGetRootElement(document))
    #expect(root.pointee.name.map { String(cString: $0) } == "episodedetails")
    var found: [String: String] = [:]
    var node = root.pointee.children
    while let element = node {
      node = element.pointee.next
      guard element.pointee.type == XML_ELEMENT_NODE, let text = xmlNodeGetContent(element) else {
        continue
      }
      defer { free(text) }
      found[element.pointee.name.map { String(cString: $0) } ?? ""] = String(cString: text)
    }
    return found
  }

  @Test func `all that is known stands in it`() throws {
    var episode = try episode("Second")
    episode.season = 1
    episode.number = 2
    episode.date = CalendarDay("2026-05-20")
    episode.summary = "Two lines,\nand <b>more</b>."
    let bytes = try EpisodeNFO.bytes(of: episode)
    #expect(
      try elements(bytes) == [
        "title": "Second", "showtitle": "Show & Tell", "season": "1", "episode": "2",
        "aired": "2026-05-20", "plot": "Two lines,\nand <b>more</b>.", "uniqueid": "show/s01e02",
      ])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\""))
    #expect(text.contains("<uniqueid type=\"vmx\" default=\"true\">"))
    #expect(text.hasSuffix("</episodedetails>\n"))
  }

  @Test func `playing stands in it only where it is told`() throws {
    var episode = try episode("A")
    let plain = try EpisodeNFO.bytes(of: episode)
    func played(_ position: PlaybackPosition? = nil) -> NFOPlayed {
      NFOPlayed(of: episode, position, in: SystemZone())
    }
    #expect(try EpisodeNFO.bytes(of: episode, played: played()) == plain)
    (episode.isWatched, episode.watchedAt) = (true, Timestamp("2024-05-01T20:15:00.500Z"))
    #expect(try EpisodeNFO.bytes(of: episode) == plain)
    let position = PlaybackPosition(
      milliseconds: 754_200, duration: 2_600_000,
      at: try #require(Timestamp("2024-05-02T20:15:00Z"))
    )
    let bytes = try EpisodeNFO.bytes(of: episode, played: played(position))
    let document = try #require(try NFOContents(bytes).documents.first)
    #expect(document.isWatched == true)
    #expect(document.playCount == 1)
    #expect(document.position == 754_200)
    #expect(document.lastPlayed.flatMap(SystemZone().timestamp(of:)) == position.at)
    #expect(String(decoding: bytes, as: UTF8.self).contains("<total>2600.000</total>"))
    // An episode whose watched mark was removed, without a later playback, is equal to one that was
    // never played.
    episode.isWatched = false
    #expect(try EpisodeNFO.bytes(of: episode, played: played()) == plain)
  }

  /// Regression: an import crashed because two threads wrote their first document at the same time.
  /// libxml2 creates its table of encodings in the first call unless it was initialised before.
  @Test func `threads may write their first documents at once`() async throws {
    let episode = try episode("A")
    let bytes = try EpisodeNFO.bytes(of: episode)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 { group.addTask { (try? EpisodeNFO.bytes(of: episode)) == bytes } }
      for await isSame in group { #expect(isSame) }
    }
  }

  @Test func `what is not known is left out`() throws {
    let names = try elements(EpisodeNFO.bytes(of: episode("A"))).keys.sorted()
    #expect(names == ["showtitle", "title", "uniqueid"])
  }

  @Test func `a number alone counts as one of the first season`() throws {
    var episode = try episode("A")
    episode.number = 7
    #expect(try elements(EpisodeNFO.bytes(of: episode))["season"] == "1")
  }

  @Test func `an episode with only a day has the year as its season, and is read back as dated`()
    throws
  {
    var episode = try episode("A")
    episode.date = CalendarDay("2024-05-08")
    (episode.duration, episode.rating) = (90_000, Rating(8.15))
    var show = LibraryShow(slug: "show", title: "Show")
    show.network = "N"
    let bytes = try EpisodeNFO.bytes(of: episode, show: show)
    let elements = try elements(bytes)
    #expect(elements["season"] == "2024")
    #expect(elements["episode"] == "508")
    #expect(elements["runtime"] == "2")
    #expect(elements["studio"] == "N")
    let document = try #require(try NFOContents(bytes).documents.first)
    #expect(document.season == nil)
    #expect(document.number == nil)
    #expect(document.date == episode.date)
    #expect(document.rating == 8.2)
  }

  @Test func `a date that stands for none is not written`() throws {
    var episode = try episode("A")
    episode.date = CalendarDay("1970-01-01")
    #expect(
      try elements(EpisodeNFO.bytes(of: episode)).keys.sorted() == [
        "showtitle", "title", "uniqueid",
      ])
    var show = LibraryShow(slug: "show", title: "A")
    show.premiered = CalendarDay("1601-01-01")
    let text = String(decoding: try EpisodeNFO.show(show, titled: "A"), as: UTF8.self)
    #expect(!text.contains("premiered"))
  }

  @Test func `the id at TVMaze is written and read back`() throws {
    var episode = try episode("A")
    episode.tvmaze = 77
    let document = try #require(try NFOContents(EpisodeNFO.bytes(of: episode)).documents.first)
    #expect(document.ids == ["vmx": "show/s01e02", "tvmaze": "77"])
  }

  @Test func `a document of a show is recognised as written until it is edited`() throws {
    var show = LibraryShow(slug: "show", title: "A & B")
    (show.summary, show.genres, show.network) = ("Line\nand line", ["One", "Two"], "N")
    (show.premiered, show.hasEnded) = (CalendarDay("2020-02-03"), true)
    (show.tvmaze, show.imdb, show.tvdb) = (7, "tt1", 9)
    show.ageRating = AgeRating("FSK-12")
    let bytes = try EpisodeNFO.show(show, titled: "A & B")
    #expect(try EpisodeNFO.isUnchangedShow(bytes, of: "show"))
    #expect(try !EpisodeNFO.isUnchangedShow(bytes, of: "other"))
    let edited = String(decoding: bytes, as: UTF8.self).replacing("<genre>Two</genre>", with: "")
    #expect(
      try !EpisodeNFO.isUnchangedShow(
        Array(edited.replacing("  <studio>", with: " <studio>").utf8), of: "show"))
    let read = LibraryShow(try #require(try NFOContents(bytes).documents.first), slug: "show")
    #expect(read == show)
    let plain = try EpisodeNFO.show(LibraryShow(slug: "show", title: nil), titled: "A")
    #expect(try EpisodeNFO.isUnchangedShow(plain, of: "show"))
  }

  @Test(arguments: [
    ("a\u{1}b\u{0}c\u{1B}[31m", "abc[31m"), ("]]> & < > \" '", "]]> & < > \" '"),
    ("\u{FFFE}é\u{FFFF}", "é"), ("😀 שלום", "😀 שלום"), ("a\tb\nc", "a\tb\nc"),
  ])
  func `any title gives XML that can be read`(title: String, wanted: String) throws {
    #expect(try elements(EpisodeNFO.bytes(of: episode(title)))["title"] == wanted)
  }

  @Test func `a title of nothing that XML can hold is left out`() throws {
    #expect(try elements(EpisodeNFO.bytes(of: episode("\u{1}\u{2}")))["title"] == nil)
  }

  @Test func `the same episode gives the same bytes`() throws {
    #expect(try EpisodeNFO.bytes(of: episode("A")) == EpisodeNFO.bytes(of: episode("A")))
  }

  @Test func `the episode of a document is read back, and of no other text`() throws {
    let bytes = try EpisodeNFO.bytes(of: episode("A title"))
    #expect(EpisodeNFO.episode(of: bytes) == (try EpisodeID("show/s01e02")))
    #expect(EpisodeNFO.episode(of: Array(bytes.dropLast(40))) == nil)
    #expect(EpisodeNFO.episode(of: Array("<uniqueid>show/a</uniqueid>".utf8)) == nil)
    #expect(EpisodeNFO.episode(of: []) == nil)
  }
}
