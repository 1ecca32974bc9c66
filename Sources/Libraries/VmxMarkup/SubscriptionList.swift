package import VmxModel

/// The feeds of an OPML document, the format in which podcast programs exchange subscriptions.
package struct SubscriptionList: Sendable, Equatable {
  /// A subscribed feed.
  package struct Feed: Sendable, Equatable {
    /// The title: `title`, else `text`.
    package let title: String
    /// The address.
    package let url: String
  }

  /// The most bytes that are read, 8 MiB.
  package static let largest = 8 << 20

  /// The feeds, in the order of the document.
  package let feeds: [Feed]

  /// Parses a document; of one that is none there are no feeds.
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
