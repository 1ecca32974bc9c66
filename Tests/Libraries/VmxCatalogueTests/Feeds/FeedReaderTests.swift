import Testing
import VmxModel

@testable import VmxCatalogue

struct FeedReaderTests {
  private func read(_ text: String) throws -> Feed {
    try FeedReader.read(
      HTTPResponse(bytes: Array(text.utf8), url: "https://example.org/a/feed.xml?key=1"))
  }

  private func item(_ content: String) throws -> FeedItem {
    let feed = try read(
      "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel><item>\(content)</item></channel></rss>"
    )
    return try #require(feed.items.first)
  }

  /// The same document as stored, fixed and dynamic blocks (RFC 1951), and in two members.
  @Test func `a feed stored as gzip is unpacked`() throws {
    let stored = try #require(
      Hex.bytes(
        of:
          "1f8b0800000000000003015b00a4ff3c7273733e3c6368616e6e656c3e3c7469746c653e54616c6573206f66"
          + "2061207061636b656420666565642c2074616c6573206f662061207061636b656420666565643c2f7469746c"
          + "653e3c2f6368616e6e656c3e3c2f7273733eda463f5f5b000000"))
    let fixed = try #require(
      Hex.bytes(
        of:
          "1f8b0800000000000003b3292a2eb6b349ce48cccb4bcdb1b329c92cc949b50b49cc492d56c84f5348542848"
          + "4cce4e4d51484b4d4dd15128c12a6ea30fd165a30f37461f642a00da463f5f5b000000"))
    for bytes in [stored, fixed] {
      let document = HTTPResponse(bytes: bytes, url: "https://example.org/feed.xml.gz")
      #expect(
        try FeedReader.read(document).title == "Tales of a packed feed, tales of a packed feed")
    }
    for count in [1, 30, fixed.count - 1] {
      let document = HTTPResponse(
        bytes: Array(fixed[..<max(3, count)]), url: "https://example.org/feed.xml.gz")
      let error = #expect(throws: Failure.self) { try FeedReader.read(document) }
      #expect(error?.code == .encodedBody)
    }
    var damaged = stored
    damaged[40] ^= 1
    let error = #expect(throws: Failure.self) {
      try GzipDecoder.unpacked(damaged, limit: FeedReader.maxSize, "a")
    }
    #expect(error?.code == .encodedBody)
    #expect(throws: Failure.self) {
      try GzipDecoder.unpacked(stored, limit: ByteCount(clamping: 10), "a")
    }
    let twice = try GzipDecoder.unpacked(stored + fixed, limit: FeedReader.maxSize, "a")
    #expect(twice.count == 182)
  }

  @Test func `blocks with codes of their own are unpacked`() throws {
    let dynamic = try #require(
      Hex.bytes(
        of:
          "1f8b08000000000000037551db0d80200c5c850d58a06197aa8d905424c2fe31d2a06dd49ffbe8f51e69e1a8"
          + "35c01c3167e2002d35a6305143b7e2b6a1432e11dd42dc067652c61a85a45213efd988bb601076415039fe0c"
          + "d45875d328dbd6dd567ad41d84fc17eb78cb18437d99af7475b357f31e015e6e0efe7e82bf7e7202dd027144"
          + "99010000"))
    let document = HTTPResponse(bytes: dynamic, url: "https://example.org/feed.xml.gz")
    let title = try #require(try FeedReader.read(document).title)
    #expect(title.split(separator: " ").count == 60)
    #expect(Set(title.split(separator: " ")) == ["alpha", "beta", "gamma", "delta", "epsilon"])
  }

  @Test(arguments: [
    ("<enclosure url='b.mp4'/>", ["https://example.org/a/b.mp4"]),
    ("<enclosure url=' \n/b c.mp4 '/>", ["https://example.org/b%20c.mp4"]),
    ("<enclosure url='//c.org/b.mp4'/>", ["https://c.org/b.mp4"]),
    ("<link rel='enclosure' href='http://c.org/b.mp4'/>", ["http://c.org/b.mp4"]),
    ("<enclosure url='b.mp4?x=1&y=2'/>", ["https://example.org/a/b.mp4?x=1&y=2"]),
    ("<enclosure url='b.mp4'/><media:content url='b.mp4'/>", ["https://example.org/a/b.mp4"]),
    (
      "<media:group><media:content url='1.mp4'/><media:content url='2.mp4'/></media:group>",
      ["https://example.org/a/1.mp4", "https://example.org/a/2.mp4"]
    ),
    ("<enclosure url='b.jpg' type='image/jpeg'/>", []), ("<enclosure url='ftp://c/b.mp4'/>", []),
    ("<media:content medium='image' url='b.jpg'/>", []),
    ("<enc:enclosure rdf:resource='b.mp4' enc:type='video/mp4'/>", ["https://example.org/a/b.mp4"]),
    (
      "<media:content url='s.mp4' expression='sample'/><media:content url='b.mp4'/>",
      ["https://example.org/a/b.mp4"]
    ),
    ("<media:content url='b.mp4' expression='nonstop'/>", ["https://example.org/a/b.mp4"]),
    ("<enclosure url='file:///etc/passwd'/>", []),
    ("<enclosure/>", []), ("<podcast:liveItem><enclosure url='b.mp4'/></podcast:liveItem>", []),
  ])
  func `the files of an item are those with a supported URL`(
    _ content: String, _ urls: [String]
  ) throws {
    #expect(try item(content).media.flatMap(\.sources).map(\.text) == urls)
  }

  @Test func `a page of a video site is not a file, and the reason is kept`() throws {
    let item = try item("<media:content medium='video' url='https://www.youtube.com/watch?v=1'/>")
    #expect(item.media.isEmpty)
    #expect(item.refusal?.code == .sourceUnsupported)
  }

  @Test(
    arguments: [
      ("<itunes:duration>12:34</itunes:duration>", 754_000),
      ("<itunes:duration>90</itunes:duration>", 90_000),
      ("<itunes:duration>61:5</itunes:duration>", 3_665_000),
      ("<itunes:duration>0</itunes:duration>", nil),
      ("<itunes:duration>long</itunes:duration>", nil),
      ("<itunes:duration>99999999999999999999</itunes:duration>", nil),
    ] as [(String, Int64?)])
  func `a playing time is read, other text is ignored`(_ content: String, _ time: Int64?) throws {
    #expect(try item(content).duration == time)
  }

  @Test func `HTML in titles becomes text, encoded once or twice`() throws {
    #expect(try item("<title>A &amp;amp;amp; <b>B</b><br></title>").title == "A & B")
    #expect(try item("<title><![CDATA[A &amp; <i>B</i>]]></title>").title == "A & B")
  }

  @Test func `of several items with one guid the newest is used`() throws {
    let feed = try read(
      """
      <rss><channel>
      <item><guid>1</guid><title>new</title><pubDate>2 May 2024</pubDate></item>
      <item><guid>1</guid><title>old</title><pubDate>1 May 2024</pubDate></item>
      <item><guid>1</guid><title>newest</title><pubDate>3 May 2024</pubDate></item>
      </channel></rss>
      """)
    #expect(feed.items.map(\.title) == ["newest"])
  }

  @Test(arguments: [
    ("", ErrorCode.emptyBody), ("<html><rss/></html>", .notAFeed), ("{}", .notAFeed),
    ("[", .notAFeed),
    ("text", .notAFeed), ("<opml/>", .notAFeed), ("\u{0}\u{1}", .notAFeed),
  ])
  func `a document that is no feed is refused with its code`(_ text: String, _ code: ErrorCode) {
    do throws(Failure) {
      _ = try FeedReader.read(
        HTTPResponse(bytes: Array(text.utf8), url: "https://example.org/feed?key=1"))
      Issue.record("it was read")
    } catch {
      #expect(error.code == code)
      #expect(!error.summary.contains("key"))
    }
  }

  @Test func `a truncated document yields the items received`() throws {
    let feed = try read(
      "<rss><channel><title>T</title><item><guid>1</guid></item><item><guid>2</guid><title>cu")
    #expect(feed.items.map(\.guid) == ["1", "2"])
  }

  @Test func `a digest is the SHA-256 of an integrity value`() {
    let value = "sha384-AAAA sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= sha512-BBBB"
    #expect(
      Digest(integrity: value)?.hex
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(Digest(integrity: "sha256-AAAA") == nil)
  }

  @Test func `a randomly damaged document is either read or refused`() {
    let sound = Array(
      """
      <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "b">]><rss xmlns:media='http://search.yahoo.com/mrss/'>
      <channel><title>A &amp; B</title><!-- c --><item><title><![CDATA[x]]></title><guid>1</guid>
      <pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate><enclosure url="a.mp4" length="1"/><media:group>
      <media:content url='b.mp4' height="720"/></media:group></item></channel></rss>
      """.utf8)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        }
      }
      do throws(Failure) {
        let document = HTTPResponse(bytes: bytes, url: "https://example.org/feed")
        for item in try FeedReader.read(document).items {
          _ = try item.description(in: FeedNames(identity: "f", show: "S"))
        }
      } catch {
        #expect(error.code == .notAFeed, "\(error.summary): \(bytes)")
      }
    }
  }
}
