package import VmxModel

/// The feeds of an OPML document, the format in which podcast programs exchange subscriptions.
package struct SubscriptionList: Sendable, Equatable {
  /// A subscribed feed.
  package struct Feed: Sendable, Equatable {
    /// The title: `title`, else `text`.
    package let title: String
    /// The address.
    package let url: String

    /// Creates an entry.
    package init(title: String, url: String) {
      self.title = title
      self.url = url
    }
  }

  /// The maximum size in bytes, 8 MiB.
  package static let maxBytes = 8 << 20

  /// The feeds, in the order of the document.
  package let feeds: [Feed]

  /// Creates a list to write.
  package init(feeds: [Feed]) {
    self.feeds = feeds
  }

  /// Parses a document. A document of another kind has no feeds.
  ///
  /// - Throws: `resources-short`.
  package init(_ bytes: [UInt8]) throws(Failure) {
    var feeds: [Feed] = []
    var place = 0
    _ = try MarkupParser.parse(MarkupText.prepared(bytes), from: &place) { event in
      guard case .begin(let element) = event, element.name == "outline",
        let url = element.attributes["xmlUrl"], !url.isEmpty
      else { return }
      let title = element.attributes["title"] ?? element.attributes["text"] ?? ""
      feeds.append(Feed(title: title, url: url))
    }
    self.feeds = feeds
  }
}

extension SubscriptionList {
  /// Returns the list as an OPML 2.0 document.
  ///
  /// - Throws: `resources-short`.
  package func document(title: String) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("opml", [("version", "2.0")])
    try writer.begin("head")
    try writer.element("title", title)
    try writer.end()
    try writer.begin("body")
    for feed in feeds {
      try writer.begin(
        "outline",
        [("type", "rss"), ("text", feed.title), ("title", feed.title), ("xmlUrl", feed.url)])
      try writer.end()
    }
    try writer.end()
    try writer.end()
    return try writer.finish()
  }
}
