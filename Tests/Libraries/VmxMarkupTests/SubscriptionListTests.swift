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
}
