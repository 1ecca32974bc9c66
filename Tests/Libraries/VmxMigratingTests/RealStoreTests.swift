import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

/// Stores that were not made for these tests. The expected values are those in their records and
/// files, according to the rules of the readers.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealStoreTests {
  private static func folder(_ name: String) throws -> FilePath {
    try #require(RealData.folder).appending(name)
  }

  @Test func `a property list of downloads with its files`() throws {
    let found = try FoundEpisodes(PropertyListReader(), Self.folder("plist-store"))
    #expect(
      found.episodes.map(\.status) == [.downloaded, .requested, .missing, .requested, .downloaded])
    #expect(found.refused.isEmpty && found.left.isEmpty)
    let held = try found.episode("The Rabbit")
    #expect(held.description.proposedID.description == "meadow-tales/s01e01")
    #expect(
      held.files.map(\.part) == ["video", "subtitle:en", "subtitle:cs.forced", "image", "key"])
    #expect(held.files.last?.contents == [1, 2, 3, 4] + Array("keydata".utf8))
    #expect(held.description.expires == Timestamp("2020-04-02T10:00:00Z"))
    #expect(held.description.isKept == true)
    let paused = try found.episode("City / Bikes: \"fast\"")
    #expect(paused.partial?.completedRanges.ranges == [ByteRange(0..<600_000)])
    #expect(paused.partial?.total?.bytes == 1_055_736)
    #expect(paused.partial?.entityTag == "\"17735b4721faa7d5\"")
    #expect(try found.episode("Gone").description.video?.variants.count == 1)
    #expect(try found.episode("Úvod").evidence.contains("error -1005"))
    #expect(found.episodes.last?.files.map(\.path.lastComponent?.string) == ["999-orphan.mp4"])
  }

  @Test(arguments: ["ios8-v1.xml.plist", "ios9-v2.xml.plist", "ios12-keyedarchive.bplist"])
  func `resume data of three versions say the same`(name: String) throws {
    let found = try FoundEpisodes(PropertyListReader(), Self.folder("resumedata/\(name)"))
    #expect(found.all.count == 1)
    let episode = try #require(found.episodes.first)
    let sources = episode.description.video?.variants.first?.sources.map(\.text)
    #expect(sources == ["http://127.0.0.1:8411/bigbuckbunny.mp4"])
    let partial = try #require(episode.partial)
    #expect(partial.path.lastComponent?.string == "CFNetworkDownload_hZ3xQ1.tmp")
    #expect(partial.completedRanges.ranges == [ByteRange(0..<600_000)])
    #expect(partial.lastModified == "Tue, 03 Mar 2020 10:00:00 GMT")
    // The oldest version has no entity tag.
    #expect(partial.entityTag == (name.hasPrefix("ios8") ? nil : "\"17735b4721faa7d5\""))
  }

  @Test func `resume data of one download are one request`() throws {
    let found = try FoundEpisodes(PropertyListReader(), Self.folder("resumedata"))
    #expect(found.episodes.map(\.partial?.entityTag) == ["\"17735b4721faa7d5\""])
    #expect(found.left.count == 2 && found.left.values.allSatisfy { $0 == .repeated })
  }

  @Test(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
  func `a store of Core Data without its files`() throws {
    let found = try FoundEpisodes(
      CoreDataReader(Databases.tools()), Self.folder("coredata-store"))
    #expect(
      found.episodes.map(\.description.title) == [
        "The Rabbit", "City / Bikes: \"fast\"", "Gone", "Úvod",
      ])
    #expect(found.episodes.map(\.status) == [.missing, .requested, .missing, .requested])
    #expect(found.refused.isEmpty && found.left.isEmpty)
    // The two records with the same URL are two episodes.
    #expect(found.episodes.map(\.withheld.count) == [1, 1, 0, 0])
  }

  @Test(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
  func `the home folder of gPodder`() throws {
    let found = try FoundEpisodes(GPodderReader(Databases.tools()), Self.folder("gpodder"))
    #expect(
      found.episodes.map(\.status) == [
        .downloaded, .known, .missing, .removed, .downloaded, .known, .known, .known, .downloaded,
      ])
    #expect(found.refused.isEmpty)
    // A file without bytes.
    #expect(found.left.count == 1 && found.left.values.allSatisfy { $0 == .noPart })
    let held = try found.episode("Bunny: the \"Meadow\" / part 1?")
    #expect(held.files.map(\.size.bytes) == [1_055_736] && held.files[0].doubts.isEmpty)
    #expect(held.description.date?.description == "2020-03-03")
    #expect(held.description.duration == 5000 && held.description.isWatched == nil)
    #expect(held.description.showTitle == "Meadow: a video podcast / čeština & more")
    let known = try found.episode("Not downloaded")
    #expect(known.partial == nil && known.description.video?.variants.first?.size == nil)
    let orphan = try #require(found.episodes.last)
    #expect(orphan.doubts.contains(.unlisted))
    #expect(orphan.description.showTitle == held.description.showTitle)
  }

  @Test(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
  func `music of gPodder is left out where only video is wanted`() throws {
    var tools = Databases.tools()
    tools.takesAudio = false
    let found = try FoundEpisodes(GPodderReader(tools), Self.folder("gpodder"))
    #expect(
      found.episodes.map(\.status) == [
        .downloaded, .known, .missing, .removed, .downloaded, .known, .downloaded,
      ])
    // Two music episodes, and a file without bytes.
    #expect(found.left.count == 3 && found.left.values.allSatisfy { $0 == .noPart })
  }
}
