import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

/// What a video without a record tells by its name, its tags and the files beside it.
struct VideoWordsTests {
  @Test(arguments: [
    ("Talk three [aBcD3fGh1jK].mp4", "Talk three", nil, true),
    ("20240503 - Chan - The third [aBcD3fGh1jK].mp4", "Chan - The third", "2024-05-03", true),
    ("20240503_Talk.mp4", "Talk", "2024-05-03", false),
    ("20240503.mp4", "2024-05-03", "2024-05-03", false),
    // Words and releases are no ids, and not every number is a day.
    ("Film [DirectorCut].mp4", "Film [DirectorCut]", nil, false),
    ("Film [Remastered2].mp4", "Film [Remastered2]", nil, false),
    ("20241399 - Talk.mp4", "20241399 - Talk", nil, false),
    ("2024050312 - Talk.mp4", "2024050312 - Talk", nil, false),
  ]) func `a name of yt-dlp has a day and an id`(
    name: String, title: String, day: String?, hasID: Bool
  ) throws {
    let episode = try #require(LegacyTree(["Chan/\(name)": "v"]).read(.tree).episode)
    #expect(episode.description.title == title)
    #expect(episode.description.date == day.flatMap { CalendarDay($0) })
    let key = IdentityKey.outside(catalogue: "youtube", id: "aBcD3fGh1jK")
    #expect(episode.description.identity.contains(key) == hasID)
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=aBcD3fGh1jK&t=4", "https://youtu.be/aBcD3fGh1jK",
    "https://m.youtube.com/shorts/aBcD3fGh1jK",
  ]) func `a page of a site has the id`(page: String) throws {
    let key = SiteID.key(ofPage: try WebURL(page))
    #expect(key == .outside(catalogue: "youtube", id: "aBcD3fGh1jK"))
  }

  /// An MP4 file with tags and without streams.
  private func film(_ tags: KeyValuePairs<String, String>) -> String {
    func box(_ type: String, _ content: String) -> String {
      let size = content.unicodeScalars.count + 8
      let bytes = [0, 0, size >> 8, size & 255].map { Character(Unicode.Scalar(UInt8($0))) }
      return String(bytes) + type + content
    }
    let zeros = "\0\0\0\0"
    let items = tags.map { box($0.key, box("data", "\0\0\0\u{1}" + zeros + $0.value)) }
    let list = box("meta", zeros + box("ilst", items.joined()))
    return box("ftyp", "isom" + zeros + "isommp41") + box("moov", box("udta", list))
  }

  private func read(_ name: String, _ film: String) throws -> LegacyEpisode {
    let tree = try LegacyTree()
    try tree.scratch.write(name, film.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    return try #require(tree.read(.tree).episode)
  }

  // Regression: `3.mp4` became S01E03, though its container has a title and a day.
  @Test func `tags outweigh a bare name`() throws {
    let film = film(["\u{A9}nam": "Third: a talk", "\u{A9}day": "20240503"])
    let episode = try read("Chan/3.mp4", film)
    #expect(episode.description.title == "Third: a talk" && episode.description.number == nil)
    #expect(episode.description.date == CalendarDay("2024-05-03"))
    #expect(episode.description.origin == .tags && episode.doubts == [])
  }

  @Test func `an explicit number in the name stays, and titles of releases are ignored`() throws {
    let film = film(["\u{A9}nam": "Show.S01E02.1080p.WEB.x264-GRP", "\u{A9}day": "2024-05-03"])
    let episode = try read("Show/Show - S01E02 - A.mp4", film)
    #expect(episode.description.title == "A" && episode.description.number == 2)
    #expect(episode.description.date == CalendarDay("2024-05-03"))
    // A year alone, and a title without a day, leave a bare number.
    let other = try read("Show/05.mp4", self.film(["\u{A9}nam": "Fifth", "\u{A9}day": "2024"]))
    #expect(other.description.number == 5 && other.description.title == "Fifth")
  }

  @Test(arguments: [
    ["Talk [abcdefghij1].f137.mp4", "Talk [abcdefghij1].f140.m4a"],
    ["m [m1].f200.mp4", "m [m1].fa-en.mp4.part", "m [m1].fa-en.mp4.ytdl"],
    ["Talk [abcdefghij1].temp.mp4"], ["Talk.f137.mp4", "Talk.f140.m4a"],
  ]) func `one stream of several is no film`(names: [String]) throws {
    // Regression: each stream became a ready film without sound or picture.
    let tree = try LegacyTree(Dictionary(uniqueKeysWithValues: names.map { ($0, "v") }))
    #expect(LegacyKind.guess(try LegacyFolder(tree.scratch.path)) == .ytDlp)
    for kind in [LegacyKind.ytDlp, .tree] {
      let read = try tree.read(kind)
      let left = read.left.filter { $0.value == .oneStream }.keys
      #expect(read.episodes.isEmpty)
      #expect(Set(left) == Set(names.filter { !$0.hasSuffix(".part") && !$0.hasSuffix(".ytdl") }))
      let page = "https://www.youtube.com/watch?v=abcdefghij1"
      #expect(read.pages.values.allSatisfy { $0 == page })
    }
  }

  @Test func `streams beside the whole video are no parts, and words are no streams`() throws {
    let read = try LegacyTree([
      "Talk [id1].mp4": "v", "Talk [id1].f137.mp4": "v", "Race.f1.mp4": "v",
    ]).read(.ytDlp)
    #expect(read.episodes.count == 2 && read.left == ["Talk [id1].f137.mp4": .noPart])
  }

  @Test func `a stream with a record names the page of the record`() throws {
    let info = #"{"id":"A","extractor_key":"Site","webpage_url":"https://site.example/A"}"#
    let read = try LegacyTree(["T.info.json": info, "T.f137.mp4": "v", "T.f140.m4a.part": "s"])
      .read(.ytDlp)
    #expect(read.episode?.status == .known && read.episode?.files.isEmpty == true)
    #expect(read.left == ["T.f137.mp4": .oneStream, "T.f140.m4a.part": .noSource])
    #expect(read.pages["T.f137.mp4"] == "https://site.example/A")
  }
}
