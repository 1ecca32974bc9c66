import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

struct YtDlpReaderTests {
  private static let info = #"""
    {"id":"AAA","extractor_key":"Site","title":"True: title?","channel":"Chan","ext":"mp4",
     "upload_date":"20240520","url":"https://cdn.example/a.mp4?token=t","protocol":"https",
     "filesize":5,"http_headers":{"Cookie":"c"},"webpage_url":"https://site.example/AAA",
     "age_limit":18}
    """#

  @Test func `an information file tells of all files with its stem`() throws {
    let read = try LegacyTree([
      "Title [AAA].mp4": "video", "Title [AAA].info.json": Self.info,
      "Title [AAA].description": "Text", "Title [AAA].en.vtt": "s", "Title [AAA].pt-BR.srt": "s",
      "Title [AAA].en-orig.vtt": "s", "Title [AAA].webp": "i", "Title [AAA].0.jpg": "i",
      "Title [AAA].live_chat.json": "{}", "Title [AAA].mkv": "again", "Title [AAA].f137.mp4": "v",
      "Title [AAA].mp4.part": "rest",
    ]).read(.ytDlp)
    let episode = try #require(read.episode)
    #expect(episode.kind == .ytDlp && episode.status == .downloaded && episode.doubts == [])
    #expect(episode.description.title == "True: title?" && episode.description.show == "Chan")
    #expect(episode.description.summary == "Text")
    // Regression: the age limit was not among the fields that are read.
    #expect(episode.description.ageRating == AgeRating("18"))
    #expect(episode.description.pageURL == "https://site.example/AAA")
    #expect(episode.description.identityKeys.first == .outside(catalogue: "site", id: "AAA"))
    #expect(
      episode.fileNames == [
        "video": "Title [AAA].mp4", "subtitle:en": "Title [AAA].en.vtt",
        "subtitle:pt-BR": "Title [AAA].pt-BR.srt", "image": "Title [AAA].webp",
      ])
    #expect(episode.description.parts.flatMap(\.variants).isEmpty)
    #expect(
      read.left == [
        "Title [AAA].en-orig.vtt": .repeated, "Title [AAA].0.jpg": .repeated,
        "Title [AAA].live_chat.json": .noPart, "Title [AAA].mkv": .repeated,
        "Title [AAA].f137.mp4": .noPart, "Title [AAA].mp4.part": .repeated,
      ])
    #expect(read.counts.values.allSatisfy { $0 == 1 })
  }

  @Test func `two videos of a channel on one day stay two episodes`() throws {
    let read = try LegacyTree([
      "a [AAA].mp4": "1", "a [AAA].info.json": Self.info, "b [BBB].mp4": "2",
      "b [BBB].info.json": Self.info.replacing("AAA", with: "BBB"),
    ]).read(.ytDlp)
    #expect(read.episodes.count == 2)
    #expect(read.episodes[0].description.date == read.episodes[1].description.date)
    let signs = read.episodes.map { $0.description.signs($0.description.identityKeys) }
    #expect(EvidenceTable.judge(signs[0], signs[1]).verdict == .different)
  }

  @Test func `a longer stem takes its own files`() throws {
    let read = try LegacyTree([
      "a.info.json": Self.info, "a.mp4": "1", "a.b.info.json": Self.info, "a.b.mp4": "2",
      "a.b.en.vtt": "s",
    ]).read(.ytDlp)
    #expect(read.episodes.map(\.fileNames.count).sorted() == [1, 2])
  }

  @Test func `another size than recorded is a doubt of the file`() throws {
    let read = try LegacyTree(["a.info.json": Self.info, "a.mp4": "other"]).read(.ytDlp)
    #expect(read.episode?.files.first?.doubts == [])
    let other = try LegacyTree(["a.info.json": Self.info, "a.mp4": "longer"]).read(.ytDlp)
    #expect(other.episode?.files.first?.doubts == [.otherSize])
  }

  @Test func `an information file of a playlist is no episode`() throws {
    let read = try LegacyTree([
      "Chan [PL].info.json": #"{"_type":"playlist","id":"PL","title":"Chan"}"#,
      "Chan [PL].jpg": "i", "Chan [PL].description": "d", "Chan [PL].mp4": "v",
    ]).read(.ytDlp)
    #expect(
      read.left == [
        "Chan [PL].info.json": .ofShow, "Chan [PL].jpg": .ofShow, "Chan [PL].description": .ofShow,
      ])
    #expect(read.episode?.doubts == [.nameOnly])
  }

  @Test func `a video without a record is one by its name`() throws {
    let read = try LegacyTree([
      "Show/Show - S02E03 - Third [xyz].mp4": "v",
      "Show/Show - S02E03 - Third [xyz].description": "D",
      "Show/Show - S02E03 - Third [xyz].en.vtt": "s", "Show/loose.mp4.part": "p", "Show/x.txt": "?",
    ]).read(.ytDlp)
    let episode = try #require(read.episode)
    #expect(episode.kind == .ytDlp && episode.doubts == [.nameOnly])
    #expect(episode.description.season == 2 && episode.description.number == 3)
    #expect(episode.description.title == "Third" && episode.description.summary == "D")
    #expect(episode.evidence.contains("[xyz]") && episode.files.count == 2)
    #expect(read.left == ["Show/loose.mp4.part": .noSource, "Show/x.txt": .noPart])
  }

  @Test(
    arguments: [
      ("20240520 - The Pier [aBcD3fGh1jK]", "The Pier"),
      ("NA - The Pier [aBcD3fGh1jK]", "The Pier"),
      ("The_Pier_[aBcD3fGh1jK]", "The Pier"), ("00001-The Pier [aBcD3fGh1jK]", "The Pier"),
    ])
  func `the names of yt-dlp give a title`(stem: String, title: String) throws {
    let read = try LegacyTree(["Chan/\(stem).mp4": "v"]).read(.ytDlp)
    #expect(read.episode?.description.title == title)
  }

  @Test func `a broken record is refused, and its video taken by its name`() throws {
    let read = try LegacyTree([
      "a [1].info.json": #"{"id":"1","#, "a [1].mp4": "v", "b.info.json": "[]",
      "c.info.json": Self.info, "c.mp4": "v",
    ]).read(.ytDlp)
    #expect(
      read.refused == ["a [1].info.json": .recordUnreadable, "b.info.json": .recordUnreadable])
    #expect(read.episodes.map(\.doubts).sorted { $0.count < $1.count } == [[], [.nameOnly]])
  }

  @Test func `every cut and every changed byte of a record is read without a trap`() throws {
    let tree = try LegacyTree(["a.mp4": "v"])
    let whole = Array(Self.info.utf8)
    for place in whole.indices {
      try tree.scratch.write("a.info.json", Array(whole[..<place]))
      #expect(try tree.read(.ytDlp).episode?.status == .downloaded)
      var flipped = whole
      flipped[place] ^= 0x10
      try tree.scratch.write("a.info.json", flipped)
      #expect(try tree.read(.ytDlp).episodes.count == 1)
    }
  }

  @Test func `an unfinished file of one format can be continued`() throws {
    let whole = Self.info.replacing(#""filesize":5"#, with: #""filesize":50"#)
    let read = try LegacyTree([
      "a.info.json": whole, "a.mp4.part": "0123456789", "a.en.vtt": "s",
    ]).read(.ytDlp)
    let episode = try #require(read.episode)
    #expect(episode.status == .requested && episode.doubts == [.oldSource])
    let partial = try #require(episode.partial)
    #expect(partial.completedRanges.ranges == [ByteRange(0..<10)] && partial.total == ByteCount(50))
    let sources = episode.description.video?.variants.flatMap(\.sources).map(\.text)
    #expect(sources == ["https://cdn.example/a.mp4?token=t"])
    #expect(episode.fileNames == ["subtitle:en": "a.en.vtt"] && read.left.isEmpty)
  }

  @Test func `more bytes than the record has are no part of it`() throws {
    let read = try LegacyTree(["a.info.json": Self.info, "a.mp4.part": "0123456789"]).read(.ytDlp)
    #expect(read.episode?.partial?.total == nil)
    #expect(read.episode?.doubts == [.oldSource, .otherSize])
  }

  @Test(arguments: [
    ["a.mp4.part", "a.mp4.ytdl"], ["a.mp4.part-Frag3.part"], ["a.f137.mp4.part"],
    ["a.f137.mp4.part", "a.f140.m4a.part"],
  ])
  func `pieces of a stream or of several formats cannot be continued`(_ names: [String]) throws {
    var files = ["a.info.json": Self.info]
    for name in names { files[name] = "x" }
    let read = try LegacyTree(files).read(.ytDlp)
    // A request could only fail.
    #expect(read.episode?.status == .known && read.episode?.doubts == [.noSource])
    #expect(read.episode?.partial == nil && read.episode?.description.video?.variants == [])
    #expect(read.left == Dictionary(uniqueKeysWithValues: names.map { ($0, .noSource) }))
  }

  @Test func `a stream's single unfinished file cannot be continued either`() throws {
    let stream = Self.info.replacing(#""protocol":"https""#, with: #""protocol":"m3u8_native""#)
    let read = try LegacyTree(["a.info.json": stream, "a.mp4.part": "x"]).read(.ytDlp)
    #expect(read.episode?.partial == nil && read.left == ["a.mp4.part": .noSource])
    #expect(read.episode?.status == .known)
  }

  @Test func `kinds are guessed by the names that yt-dlp gives`() throws {
    func guess(_ files: [String: String]) throws -> LegacyKind {
      let tree = try LegacyTree(files)
      return try withExtendedLifetime(tree) { .guess(try LegacyFolder(tree.scratch.path)) }
    }
    #expect(try guess(["a.info.json": "{}"]) == .ytDlp)
    #expect(try guess(["a.mp4.part-Frag1": "x"]) == .ytDlp)
    #expect(try guess(["yt-archive.txt": "youtube abc\n"]) == .ytDlp)
    #expect(try guess(["archive.txt": "some words of a text\n"]) == .tree)
    #expect(try guess(["a.mp4": "x", "notes.txt": "buy milk\n"]) == .tree)
  }
}
