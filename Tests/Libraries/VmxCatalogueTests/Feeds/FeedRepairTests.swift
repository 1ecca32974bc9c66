import Testing
import VmxModel

@testable import VmxCatalogue

/// Feeds of the wild that other readers show.
struct FeedRepairTests {
  private func read(_ text: String) throws -> Feed {
    try FeedReader.read(
      HTTPResponse(bytes: Array(text.utf8), url: "https://example.org/feed.xml"))
  }

  private static let feed =
    "<rss><channel><item><title>A</title><enclosure url='a.mp4'/></item></channel></rss>"

  // Regression: the first element was taken for the root.
  @Test(arguments: [
    "<br />\n<b>Warning</b>: Undefined index in <b>/x.php</b><br />\n<?xml version='1.0'?>",
    "<p>maintenance</p>", "Notice: x\n<?xml version='1.0'?>", "\u{FEFF}\n\n <?xml version='1.0'?>",
  ])
  func `text before a feed is ignored`(_ rubbish: String) throws {
    #expect(try read(rubbish + Self.feed).items.map(\.title) == ["A"])
  }

  @Test func `a web page stays a web page`() {
    #expect(throws: Failure.self) { try read("<html><body>&lt;rss> <p>x</p></body></html>") }
  }

  // Regression: each half was dropped.
  @Test(arguments: [
    "Wink &#55357;&#56841; end", "Wink &#xD83D;&#xDE09; end",
  ])
  func `two references to surrogates are one character`(_ title: String) throws {
    let feed = try read(
      "<rss><channel><item><title>\(title)</title><enclosure url='a.mp4'/></item></channel></rss>")
    #expect(feed.items.first?.title == "Wink \u{1F609} end")
  }

  @Test(arguments: ["&#55357; &#56841;", "&#56841;&#55357;"])
  func `a lone surrogate is no character`(_ title: String) throws {
    let feed = try read(
      "<rss><channel><item><title>A\(title)</title><enclosure url='a.mp4'/></item></channel></rss>")
    #expect(feed.items.first?.title?.unicodeScalars.contains { $0.value == 0x1F609 } == false)
  }

  // Regression: season 0 was dropped, so that a special became an episode of season 1.
  @Test func `season 0 is the season of specials`() throws {
    let feed = try read(
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><item>"
        + "<itunes:season>0</itunes:season><itunes:episode>5</itunes:episode>"
        + "<enclosure url='a.mp4'/></item></channel></rss>")
    #expect(feed.items.first?.season == 0)
    #expect(feed.items.first?.number == 5)
  }

  private func attachments(_ titles: [String?]) throws -> [FeedItem] {
    let attachments = titles.enumerated().map { index, title in
      let title = title.map { #","title":"\#($0)""# } ?? ""
      return #"{"url":"\#(index).mp4","mime_type":"video/mp4"\#(title)}"#
    }
    return try read(
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"T","attachments":["#
        + attachments.joined(separator: ",") + "]}]}"
    ).items
  }

  // Regression: the second one was a mirror that was never fetched.
  @Test func `attachments with titles of their own are items of their own`() throws {
    let items = try attachments(["A", "B", "A"])
    #expect(items.map(\.title) == ["T: A", "T: B"])
    #expect(items.map(\.guid) == ["1#A", "1#B"])
    #expect(items.map(\.media.count) == [2, 1])
  }

  @Test(arguments: [["A", "A"], [nil, nil], [nil]] as [[String?]])
  func `attachments with one title are forms of one item`(_ titles: [String?]) throws {
    let items = try attachments(titles)
    #expect(items.map(\.guid) == ["1"])
    #expect(items.first?.media.count == titles.count)
  }
}
