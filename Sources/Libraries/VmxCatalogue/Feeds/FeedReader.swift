import VmxMarkup
package import VmxModel

/// Parses feeds of every format: RSS, Atom and JSON Feed.
///
/// ```swift
/// let feed = try FeedReader.read(document)
/// for item in feed.items { … }
/// ```
package enum FeedReader {
  /// The maximum size of a document.
  package static let maxSize = ByteCount(clamping: 128 << 20)
  /// The media types for the field `Accept`.
  package static let types = [
    "application/rss+xml", "application/atom+xml", "application/feed+json",
    "application/json;q=0.9", "application/xml;q=0.8", "text/xml;q=0.8", "*/*;q=0.1",
  ]

  /// Parses the feed in a document. The content determines the format; the declared type is
  /// ignored.
  ///
  /// - Throws: `not-a-feed` with the reason, `body-too-large` for a very large JSON Feed,
  ///   `resources-short`.
  package static func read(_ document: HTTPResponse) throws(Failure) -> Feed {
    let base = FeedXMLReader.url(document.url, base: nil)
    let shown = URLRedaction.redacted(document.url)
    var document = document
    document.bytes = try GzipDecoder.unpacked(document.bytes, limit: maxSize, shown)
    if isJSON(document.bytes) {
      guard document.bytes.count <= FeedJSONReader.maxBytes else {
        throw Failure(
          .bodyTooLarge, "'\(shown)' has more than \(FeedJSONReader.maxBytes) bytes of JSON")
      }
      if let feed = FeedJSONReader(base: base).feed(document.bytes) { return feed }
      throw Failure(.notAFeed, "'\(shown)' is JSON, but not a JSON Feed")
    }
    var reader = try read(document.bytes[...], of: document, base)
    if reader.feed == nil, reader.root?.lowercased() != "html",
      let start = startAfterRubbish(document.bytes)
    {
      let second = try read(document.bytes[start...], of: document, base)
      if second.feed != nil { reader = second }
    }
    if var feed = reader.feed {
      // The element of the feed may follow its items.
      for index in feed.items.indices where feed.isExplicit {
        feed.items[index].isExplicit = feed.items[index].isExplicit ?? true
      }
      return feed
    }
    throw notAFeed(shown, root: reader.root?.lowercased(), document)
  }

  private static func read(
    _ bytes: ArraySlice<UInt8>, of document: HTTPResponse, _ base: WebURL?
  ) throws(Failure) -> FeedXMLReader {
    var reader = FeedXMLReader(base: base)
    _ = try MarkupStream.parse(Array(bytes), charset: document.charset) { event in
      reader.receive(event)
      return !reader.isDone
    }
    return reader
  }

  /// Returns the start of a feed behind other text, such as an HTML warning of PHP.
  private static func startAfterRubbish(_ bytes: [UInt8]) -> Int? {
    let starts = ["<?xml ", "<rss", "<feed", "<rdf:RDF"].map { Array($0.utf8) }
    return bytes.indices.prefix(maxRubbish).dropFirst().first { index in
      bytes[index] == UInt8(ascii: "<")
        && starts.contains { bytes[index...].starts(with: $0) }
    }
  }

  /// The maximum size in bytes of text before a feed.
  private static let maxRubbish = 64 << 10

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[mark...].first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private static func notAFeed(
    _ shown: String, root: String?, _ document: HTTPResponse
  ) -> Failure {
    switch root {
    case "html": Failure(.notAFeed, "'\(shown)' is a web page, not a feed")
    case "opml":
      Failure(
        .notAFeed, "'\(shown)' is an OPML list of feeds, not a feed",
        hint: "save it to a file, then run 'vmx feed import FILE'")
    case let root?:
      Failure(
        .notAFeed, "'\(shown)' is XML, but not a feed: root element '\(root.prefix(40))'")
    case nil where document.bytes.isEmpty: Failure(.emptyBody, "'\(shown)' is empty")
    case nil: Failure(.notAFeed, "'\(shown)' is neither XML nor JSON")
    }
  }
}
