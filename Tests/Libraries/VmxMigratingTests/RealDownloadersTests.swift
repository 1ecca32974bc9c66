import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

/// Folders written by yt-dlp, and the layout of get_iplayer. The expected values follow from the
/// records in them and the field tables; see the comments.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealDownloadersTests {
  private func read(_ kind: LegacyKind, _ names: String...) throws -> Read {
    let folder = try #require(RealData.folder)
    let paths = names.map { folder.appending($0).string }
    let inputs = LegacyInput.inputs(paths, of: nil) { FilePath($0) }
    #expect(inputs.allSatisfy { $0.kind == kind })
    return Read(try inputs.flatMap { try $0.findings(LegacyTree.tools) }, below: folder)
  }

  private static let bunny = "S01E01 – Bunny： the ＂Meadow＂ ⧸ part 1？ (1) [ep1-1]"

  @Test func `a library of yt-dlp with its archive`() throws {
    let read = try read(.ytDlp, "ytdlp")
    #expect(read.episodes.count == 3 && read.left.isEmpty && read.refused.isEmpty)
    let first = try #require(read.episodes.first { $0.fileNames.count == 4 })
    // The actual title contains the characters that a file name cannot contain. No field states a
    // show or number: both are derived from the path.
    #expect(first.description.title == "S01E01 – Bunny: the \"Meadow\" / part 1? (1)")
    #expect(first.description.showTitle == "Meadow")
    #expect(first.description.season == 1 && first.description.number == 1)
    // 20200303; there is no duration.
    #expect(first.description.date == CalendarDay("2020-03-03"))
    #expect(first.description.duration == nil)
    #expect(first.description.summary == "First part of the meadow trilogy.\nSecond line.")
    #expect(
      first.fileNames == [
        "video": "\(Self.bunny).mp4", "subtitle:en": "\(Self.bunny).en.vtt",
        "subtitle:cs": "\(Self.bunny).cs.vtt", "image": "\(Self.bunny).jpg",
      ])
    // The URL of the media expires, so no part has a source.
    #expect(first.description.parts.flatMap(\.variants).isEmpty && first.doubts == [])
    let second = try #require(read.episodes.first { $0.fileNames.count == 1 })
    #expect(second.description.title == "S01E02 Bikes 🚲 in the city (1)")
    #expect(second.description.number == 2 && second.status == .downloaded)
    // `generic show` has no file in this folder.
    let third = try #require(read.episodes.first { $0.files.isEmpty })
    #expect(third.status == .known && third.evidence == ["archive.txt:3"])
  }

  @Test func `an interrupted download goes on from its address, a stream does not`() throws {
    let direct = try read(.ytDlp, "partials/ytdlp-direct")
    let episode = try #require(direct.episode)
    #expect(episode.status == .requested && episode.doubts == [.oldSource])
    #expect(episode.partial?.completedRanges.ranges == [ByteRange(0..<64512)])
    #expect(episode.partial?.total == nil)
    #expect(
      episode.description.video?.variants.flatMap(\.sources).map(\.text)
        == ["http://127.0.0.1:8412/bigbuckbunny.mp4"])
    let stream = try read(.ytDlp, "partials/ytdlp-hls")
    #expect(stream.episode?.status == .known && stream.episode?.doubts == [.noSource])
    #expect(stream.left.count == 3 && stream.left.values.allSatisfy { $0 == .noSource })
  }

  @Test func `the profile and the output of get_iplayer`() throws {
    let read = try read(.getIplayer, "get_iplayer/profile", "get_iplayer/output")
    #expect(read.episodes.count == 3 && read.refused.isEmpty)
    let first = try #require(read.episodes.first { $0.description.title == "The Rabbit" })
    #expect(first.status == .downloaded && first.doubts == [])
    #expect(first.description.showTitle == "Meadow Tales")
    #expect(first.description.season == 1 && first.description.number == 1)
    #expect(first.description.date == CalendarDay("2020-03-03"))
    #expect(first.description.duration == 1_800_000)
    #expect(Set(first.fileNames.keys) == ["video", "subtitle", "image"])
    // Its line has a separator in the description, as the metadata beside the video shows.
    let second = try #require(read.episodes.first { $0.description.title == "City Bikes" })
    #expect(second.description.summary == "Bikes & cafés; 50% off | not a separator issue")
    #expect(second.description.number == 2 && second.doubts == [.shiftedFields])
    let third = try #require(read.episodes.first { $0.description.title == "Old Show" })
    #expect(third.status == .missing && third.doubts == [.fileGone, .shiftedFields])
    // The third line repeats the first; the fourth describes a radio programme.
    #expect(
      read.left == [
        "get_iplayer/profile/download_history:3": .repeated,
        "get_iplayer/profile/download_history:4": .noPart,
      ])
  }
}
