import Testing

@testable import VmxMarkup

@Suite struct SubscriptionListTests {
  @Test func `outlines with an address are feeds`() throws {
    let document = """
      <?xml version="1.0"?><opml version="2.0"><head><title>all</title></head><body>
      <outline text="Folder"><outline text="A &amp; B" xmlUrl="https://example.org/a.xml"/></outline>
      <outline title="C" text="more" type="rss" xmlUrl="https://example.org/c.xml"/></body></opml>
      """
    let list = try SubscriptionList(Array(document.utf8))
    #expect(list.feeds.map(\.title) == ["A & B", "C"])
    #expect(list.feeds.map(\.url) == ["https://example.org/a.xml", "https://example.org/c.xml"])
  }

  @Test func `another document has no feeds`() throws {
    #expect(try SubscriptionList(Array("no markup".utf8)).feeds.isEmpty)
    #expect(try SubscriptionList([]).feeds.isEmpty)
  }

  @Test func `rules are attributes of a namespace of their own, and survive a round trip`() throws {
    let rules = ["want": "latest:2", "match": "a \"b\" & c\nsecond"]
    let list = SubscriptionList(feeds: [
      SubscriptionList.Feed(title: "T", url: "https://a/x", rules: rules)
    ])
    let bytes = try list.document(title: "feeds")
    #expect(try SubscriptionList(bytes) == list)
    #expect(String(decoding: bytes, as: UTF8.self).contains("vmx:want=\"latest:2\""))
    let foreign = "<opml><body><outline xmlUrl=' https://a/x ' want='all'/></body></opml>"
    #expect(
      try SubscriptionList(Array(foreign.utf8)).feeds
        == [SubscriptionList.Feed(title: "", url: "https://a/x")])
  }

  @Test func `a list of URLs is read, with the titles of Newsboat`() throws {
    let text = """
      # mine

      https://a/x podcast "~The Show"
      https://b/y
      words only
      https://c/z "two words" ~Plain !
      https://d/w "~The \\"Best\\" # 1" "~Second"
      "query:New:unread = \\"yes\\"" x
      query:Old:age > 7

      """
    #expect(
      try SubscriptionList(Array(text.utf8)).feeds == [
        SubscriptionList.Feed(title: "The Show", url: "https://a/x"),
        SubscriptionList.Feed(title: "", url: "https://b/y"),
        SubscriptionList.Feed(title: "Plain", url: "https://c/z"),
        SubscriptionList.Feed(title: "The \"Best\" # 1", url: "https://d/w"),
      ])
  }

  @Test func `user and password are attributes in Liferea, and are not written`() throws {
    let text = """
      <opml><body><outline xmlUrl='https://a/x' username='anna' password='s3'/></body></opml>
      """
    let list = try SubscriptionList(Array(text.utf8))
    #expect(
      list.feeds
        == [SubscriptionList.Feed(title: "", url: "https://a/x", user: "anna", password: "s3")])
    let bytes = try list.document(title: "feeds")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("s3"))
  }
}
