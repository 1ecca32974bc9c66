import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

struct GetIplayerReaderTests {
  private static func line(_ pid: String, _ file: String, desc: String = "D", type: String = "tv")
    -> String
  {
    "\(pid)|Hill: Series 2|03. The Well|\(type)|1583226000|hd|/old/\(file)|original|1800|\(desc)|Ch"
      + "|Comedy|https://i.example/p.jpg||https://www.bbc.example/\(pid)|3|2|\n"
  }

  private static func xml(_ pid: String, _ more: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" ?>
    <program_meta_data xmlns="http://linuxcentre.net/xmlstuff/get_iplayer" revision="1">
      <pid>\(pid)</pid><type>tv</type><name>Hill: Series 2</name><nameshort>Hill</nameshort>
      <episode>03. The Well</episode><episodeshort>The Well</episodeshort>
      <seriesnum>2</seriesnum><episodenum>3</episodenum><duration>1800</duration>
      <firstbcast>2020-03-03T21:00:00Z</firstbcast><firstbcastdate>2020-03-03</firstbcastdate>
      <desc>Deep &amp; dark.</desc>\(more)
    </program_meta_data>
    """
  }

  @Test func `metadata, history and files become one episode`() throws {
    let name = "Hill_Series_2_-_03._The_Well_m000aaa1_original"
    let read = try LegacyTree([
      "p/download_history": Self.line("m000aaa1", "\(name).mp4"), "o/\(name).mp4": "v",
      "o/\(name).xml": Self.xml("m000aaa1"), "o/\(name).srt": "s", "o/\(name).ttml": "s",
      "o/\(name).jpg": "i", "o/\(name).credits.txt": "c", "o/\(name).partial.mp4": "x",
    ]).read(.getIplayer, "p", "o")
    let episode = try #require(read.episode)
    #expect(episode.status == .downloaded && episode.doubts == [] && episode.kind == .getIplayer)
    let description = episode.description
    #expect(description.showTitle == "Hill" && description.title == "The Well")
    #expect(description.season == 2 && description.number == 3)
    #expect(description.date == CalendarDay("2020-03-03") && description.duration == 1_800_000)
    #expect(description.summary == "Deep & dark.")
    #expect(description.identity == [.outside(catalogue: "bbc", id: "m000aaa1")])
    #expect(
      episode.fileNames == [
        "video": "\(name).mp4", "subtitle": "\(name).srt", "subtitle.ttml": "\(name).ttml",
        "image": "\(name).jpg",
      ])
    #expect(episode.evidence == ["\(name).mp4", "\(name).xml", "download_history:1"])
    #expect(
      read.left == [
        "o/\(name).credits.txt": .noPart,
        "o/\(name).partial.mp4": .noSource,
      ])
    #expect(read.counts.values.allSatisfy { $0 == 1 })
  }

  @Test func `an episode named by its day has that date`() throws {
    let line = Self.line("m000aaa1", "a.mp4").replacing("03. The Well", with: "14/05/2024")
      .replacing("|3|2|", with: "|||")
    let read = try LegacyTree(["p/download_history": line, "tv/a.mp4": "v"]).read(.getIplayer)
    let description = try #require(read.episode).description
    #expect(description.date == CalendarDay("2024-05-14") && description.isDaily)
    #expect(description.title == "2024-05-14" && description.number == nil)
  }

  @Test func `id and version of a programme are no words of its title`() throws {
    let read = try LegacyTree([
      "p/download_history": Self.line("m000aaa1", "gone.mp4"),
      "tv/Hill_-_The_Mill_m000bcd2_original.mp4": "v",
      "tv/Hill_Series_2_-_1._The_Inn_m000bcd4_signed.mp4": "v",
    ]).read(.getIplayer)
    let titles = read.episodes.compactMap(\.description.title)
    #expect(Set(titles).isSuperset(of: ["Hill - The Mill", "The Inn"]), "\(titles)")
  }

  @Test func `the history alone describes a recording, in any folder of the given one`() throws {
    let read = try LegacyTree([
      "profile/download_history": Self.line("m000aaa1", "Renamed.mp4"), "tv/Renamed.mp4": "v",
    ]).read(.getIplayer)
    let description = try #require(read.episode?.description)
    #expect(read.episode?.status == .downloaded && read.episode?.doubts == [])
    #expect(description.showTitle == "Hill" && description.title == "The Well")
    #expect(description.season == 2 && description.number == 3 && description.date == nil)
    #expect(description.summary == "D")
  }

  @Test func `a recording with another name is found by the id in it`() throws {
    let read = try LegacyTree([
      "download_history": Self.line("m000aaa1", "x.mp4"), "Well m000aaa1 original.mkv": "v",
    ]).read(.getIplayer)
    #expect(read.episode?.status == .downloaded)
  }

  @Test func `of repeated lines the first describes, and the latest file counts`() throws {
    let again = Self.line("m000aaa1", "new.mp4", desc: "later")
    let read = try LegacyTree([
      "download_history": Self.line("m000aaa1", "old.mp4") + again
        + Self.line("m000aaa1", "absent.mp4"),
      "old.mp4": "1", "new.mp4": "2", "old.srt": "s",
    ]).read(.getIplayer)
    #expect(read.episode?.fileNames == ["video": "new.mp4"])
    #expect(read.episode?.description.summary == "D")
    #expect(
      read.left == [
        "download_history:2": .repeated, "download_history:3": .repeated, "old.mp4": .repeated,
        "old.srt": .repeated,
      ])
  }

  @Test func `a mark in the description shifts no field, and is a doubt`() throws {
    let read = try LegacyTree([
      "download_history": Self.line("m000aaa1", "a.mp4", desc: "x | y | z"), "a.mp4": "v",
    ]).read(.getIplayer)
    #expect(read.episode?.description.summary == "x | y | z")
    #expect(read.episode?.description.number == 3 && read.episode?.doubts == [.shiftedFields])
  }

  @Test func `a short line without its file is a lost recording`() throws {
    let read = try LegacyTree([
      "download_history": "# comment\n\nb00old04|Old Show|-|tv|1262304000|flash|/x/o.mp4|default|\n"
    ]).read(.getIplayer)
    let episode = try #require(read.episode)
    #expect(episode.status == .missing && episode.doubts == [.fileGone, .shiftedFields])
    #expect(episode.description.showTitle == "Old Show" && episode.description.title == "Old Show")
    #expect(episode.description.number == nil && episode.record.hasSuffix("download_history:3"))
  }

  @Test func `radio stays with a reason`() throws {
    let read = try LegacyTree([
      "download_history": Self.line("b0000001", "r.m4a", type: "radio")
        + Self.line("b0000002", "gone.m4a", type: "radio"),
      "r.m4a": "sound",
    ]).read(.getIplayer)
    #expect(read.episodes.isEmpty)
    #expect(read.left == ["r.m4a": .noPart, "download_history:2": .noPart])
  }

  @Test func `metadata in JSON is read, and believed before the history`() throws {
    let json = #"{"pid":"m000aaa1","nameshort":"Hill","episodeshort":"Other","senum":"s02e03"}"#
    let read = try LegacyTree([
      "download_history": Self.line("m000aaa1", "a.mp4"), "a.mp4": "v", "a.json": json,
    ]).read(.getIplayer)
    #expect(read.episode?.description.title == "Other")
    #expect(read.episode?.description.season == 2 && read.episode?.doubts == [.otherTitle])
  }

  @Test func `a file that no record names is taken by its name`() throws {
    let read = try LegacyTree([
      "download_history": Self.line("m000aaa1", "a.mp4"), "a.mp4": "v",
      "Dale_Series_1_-_02._Tree_m000bbb2_original.mp4": "w", "holiday.mp4": "h",
    ]).read(.getIplayer)
    let others = read.episodes.filter { $0.doubts == [.nameOnly, .unlisted] }
    #expect(others.count == 2)
    #expect(others.flatMap(\.description.identity) == [.outside(catalogue: "bbc", id: "m000bbb2")])
  }

  @Test func `broken records are refused one by one`() throws {
    let read = try LegacyTree([
      "download_history": "no fields\n\(Self.line("m000aaa1", "a.mp4"))|empty|\n", "a.mp4": "v",
      "b.mp4": "w", "b.xml": "<program_meta_data><pid>x</pid>", "c.json": "{",
      "d.xml": "<other><pid>1</pid></other>",
    ]).read(.getIplayer)
    #expect(
      read.refused == [
        "download_history:1": .recordUnreadable, "download_history:3": .recordUnreadable,
        "b.xml": .recordUnreadable, "c.json": .recordUnreadable,
      ])
    #expect(read.episodes.count == 2 && read.left == ["d.xml": .noPart])
  }

  @Test func `no record leads out of the given folders`() throws {
    let tree = try LegacyTree([
      "outside.mp4": "v",
      "in/download_history": Self.line("m000aaa1", "../outside.mp4")
        + Self.line("m000aaa2", "..") + "m000aaa3|N|E|tv|1|m|/||\n",
    ])
    let read = try tree.read(.getIplayer, "in")
    #expect(read.episodes.map(\.status) == [.missing, .missing, .missing])
  }

  @Test func `every cut and every changed byte of a history is read without a trap`() throws {
    let tree = try LegacyTree(["a.mp4": "v"])
    let whole = Array(Self.line("m000aaa1", "a.mp4", desc: "x | ü").utf8)
    for place in whole.indices {
      try tree.scratch.write("download_history", Array(whole[..<place]))
      #expect(try tree.read(.getIplayer).episodes.count >= 1)
      var flipped = whole
      flipped[place] ^= 0x5C
      try tree.scratch.write("download_history", flipped)
      #expect(try tree.read(.getIplayer).episodes.count >= 1)
    }
  }

  @Test(arguments: [
    ("Hill: Series 2", "Hill"), ("Hill: The Series", "Hill: The Series"), ("Series 2", "Series 2"),
    ("Hill Series 2", "Hill Series 2"), ("A: B: Series 10", "A: B"),
  ])
  func `the series is no part of a name`(_ name: String, _ show: String) {
    #expect(ProgrammeMetadata.withoutSeries(name) == show)
  }

  @Test(arguments: [
    ("03. The Well", "The Well"), ("Well", "Well"), ("7.5", "7.5"), ("12. ", "12. "),
    ("1984", "1984"),
  ])
  func `the number is no part of a title`(_ title: String, _ rest: String) {
    #expect(ProgrammeMetadata.withoutNumber(title) == rest)
  }

  @Test func `the kind is guessed by the history or the metadata`() throws {
    func guess(_ files: [String: String]) throws -> LegacyKind {
      let tree = try LegacyTree(files)
      return try withExtendedLifetime(tree) { .guess(try LegacyFolder(tree.scratch.path)) }
    }
    #expect(try guess(["download_history": ""]) == .getIplayer)
    #expect(try guess(["a.xml": Self.xml("m000aaa1"), "a.mp4": "v"]) == .getIplayer)
    #expect(try guess(["a.xml": "<x/>", "a.mp4": "v"]) == .tree)
  }
}
