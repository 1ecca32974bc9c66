import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

struct DownloadArchiveTests {
  private func info(_ id: String, _ key: String = "Youtube") -> String {
    #"{"id":"\#(id)","extractor_key":"\#(key)","title":"T \#(id)","channel":"C","ext":"mp4"}"#
  }

  @Test func `a line whose file is there is held by it, another one is only known`() throws {
    let read = try LegacyTree([
      "archive.txt": "youtube AAA\nyoutube BBB\n\nyoutube CCC\n", "a.info.json": info("AAA"),
      "a.mp4": "v", "c.info.json": info("CCC"),
    ]).read(.ytDlp)
    let found = Dictionary(uniqueKeysWithValues: read.episodes.map { ($0.description.title, $0) })
    #expect(found["T AAA"]?.status == .downloaded)
    #expect(found["T AAA"]?.evidence.contains("archive.txt:1") == true)
    #expect(found["BBB"]?.status == .known && found["BBB"]?.description.show == "youtube")
    #expect(found["BBB"]?.record.hasSuffix("/archive.txt:2") == true)
    #expect(found["BBB"]?.description.identityKeys == [.outside(catalogue: "youtube", id: "BBB")])
    // The record beside the video still exists.
    #expect(found["T CCC"]?.status == .known && read.episodes.count == 3)
  }

  @Test(arguments: [("guid-1x", true), ("12345678", false), ("a1", false)])
  func `a line of a generic page names the item of a feed`(id: String, isOne: Bool) throws {
    let read = try LegacyTree(["archive.txt": "generic \(id)\n"]).read(.ytDlp)
    let key = IdentityKey.item(ofAnyFeed: id)
    #expect((key != nil) == isOne)
    #expect(read.episode?.description.identity.count == (isOne ? 2 : 1))
    let line = IdentityKey.outside(catalogue: "generic", id: id)
    #expect(read.episode?.description.identity.last == key ?? line)
  }

  @Test func `a record without a file and without a line is only known`() throws {
    let read = try LegacyTree(["a.info.json": info("AAA")]).read(.ytDlp)
    #expect(read.episode?.status == .known && read.episode?.doubts == [.fileGone])
  }

  @Test func `keys are compared in lower case, and with former ones`() throws {
    let renamed =
      #"{"id":"1","extractor_key":"NewSite","_old_archive_ids":["oldsite 9"],"ext":"mp4"}"#
    let read = try LegacyTree([
      "archive.txt": "oldsite 9\nhtml5mediaembed x\n", "a.info.json": renamed, "a.mp4": "v",
      "b.info.json": info("x", "HTML5MediaEmbed"), "b.mp4": "v",
    ]).read(.ytDlp)
    #expect(read.episodes.map(\.status) == [.downloaded, .downloaded])
  }

  @Test func `an archive beside the folder counts if both are named`() throws {
    let tree = try LegacyTree([
      "lists/mine": "youtube AAA\nyoutube BBB\n", "videos/a.info.json": info("AAA"),
      "videos/a.mp4": "v",
    ])
    let read = try tree.read(.ytDlp, "videos", "lists/mine")
    #expect(read.episodes.map(\.status) == [.downloaded, .known])
    // A file that neither the user named nor has a name of this kind is not an archive.
    #expect(try tree.read(.ytDlp).left == ["lists/mine": .noPart])
  }

  @Test func `ids at the end of names are compared, of youtube-dl too`() throws {
    let read = try LegacyTree([
      "archive.txt": "youtube a-_b\nvimeo 12\nyoutube gone\nx same\ny same\n",
      "dl/Title-a-_b.mp4": "v", "dl/Other [12].mp4": "v", "dl/Third-word.mp4": "v",
      "dl/Fourth [same].mp4": "v",
    ]).read(.ytDlp)
    let held = read.episodes.filter { $0.status == .downloaded }
    #expect(
      Set(held.compactMap(\.description.title)) == ["Title", "Other", "Third-word", "Fourth"])
    #expect(held.flatMap(\.description.identity).count == 2)
    let removed = read.episodes.filter { $0.status == .known }.map(\.description.title)
    #expect(removed == ["gone", "same", "same"])
  }

  @Test func `lines that are none are refused, repeated ones left`() throws {
    let read = try LegacyTree([
      "archive.txt": "youtube AAA\nnonsense\nyoutube AAA\n\u{1}x y\nyoutube  BBB \r\nY z\n"
    ]).read(.ytDlp)
    #expect(read.episodes.map(\.description.title) == ["AAA", "BBB"])
    #expect(read.left == ["archive.txt:3": .repeated])
    #expect(Set(read.refused.keys) == ["archive.txt:2", "archive.txt:4", "archive.txt:6"])
  }

  @Test func `every cut and every changed byte of an archive is read without a trap`() throws {
    let tree = try LegacyTree()
    let whole = Array("youtube AAA\r\nvimeo 12\nsite ü\n".utf8)
    for place in whole.indices {
      try tree.scratch.write("archive.txt", Array(whole[..<place]))
      _ = try tree.read(.ytDlp)
      var flipped = whole
      flipped[place] ^= 0xFF
      try tree.scratch.write("archive.txt", flipped)
      let read = try tree.read(.ytDlp)
      #expect(read.episodes.count + read.refused.count + read.left.count > 0)
    }
  }
}
