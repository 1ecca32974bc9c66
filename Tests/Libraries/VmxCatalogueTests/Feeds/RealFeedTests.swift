import Testing
import VmxJSON
import VmxModel
import VmxTestSupport

@testable import VmxCatalogue

/// Feeds of other projects, with the results of those projects' parser.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealFeedTests {
  @Test func `each case of podcastparser yields the episodes that it states`() throws {
    let files = RealData.names(in: "feeds/podcastparser").filter { $0.hasSuffix(".rss") }
    for file in files {
      let expected = try JSONParser().parse(
        try RealData.text("feeds/podcastparser/\(file.dropLast(4)).json"))
      let feed = try FeedReader.read(
        HTTPResponse(
          bytes: try RealData.bytes("feeds/podcastparser/\(file)"),
          url: "http://example.com/\(file)"))
      for episode in expected.object?["episodes"]?.array?.compactMap(\.object) ?? [] {
        // That parser resolves guids that look like paths; vmx treats a guid as an opaque name.
        let guid = Self.here(episode["guid"]?.string ?? "")
        let item = feed.items.first { guid == $0.guid || guid.hasSuffix("/\($0.guid)") }
        guard let item else {
          Issue.record("\(file): no item '\(guid)' in \(feed.items.map(\.guid))")
          continue
        }
        let urls = episode["enclosures"]?.array?.compactMap { $0.object?["url"]?.string } ?? []
        #expect(
          Set(item.media.flatMap(\.sources).map(\.text)) == Set(urls.map(Self.here)),
          "\(file) \(guid)")
        if let seconds = episode["published"]?.integer, seconds > 0 {
          #expect(item.published == Timestamp(seconds: seconds), "\(file) \(guid)")
        }
        let time = episode["total_time"]?.integer ?? 0
        #expect((item.duration ?? 0) / 1000 == time, "\(file) \(guid)")
      }
    }
  }

  @Test(arguments: ["feedparser", "published", "podcast-namespace", "made"])
  func `every document is either a feed or refused with a reason`(_ folder: String) throws {
    for file in RealData.names(in: "feeds/\(folder)") where file.hasSuffix("ml") {
      let document = HTTPResponse(
        bytes: try RealData.bytes("feeds/\(folder)/\(file)"), url: "http://example.com/f")
      do throws(Failure) {
        let feed = try FeedReader.read(document)
        for item in feed.items { _ = try item.description(in: FeedNames(identity: "f", show: "S")) }
      } catch {
        #expect(error.code == .notAFeed, "\(file): \(error.summary)")
        #expect(Self.refused.contains(file), "\(file): \(error.summary)")
      }
    }
  }

  /// That project read the documents as files.
  private static func here(_ text: String) -> String {
    text.replacing("file://tests/data/", with: "http://example.com/")
  }

  /// A document in an encoding that no feed reader except feedparser supports.
  private static let refused = ["encoding__x80_ebcdic_cp_nl.xml"]
}
