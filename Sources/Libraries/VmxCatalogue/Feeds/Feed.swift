package import VmxModel

/// A feed as its document describes it, independent of the format.
package struct Feed: Sendable, Equatable {
  /// The title as plain text; nil if there is none.
  package var title: String?
  /// The language as a BCP 47 tag in canonical spelling.
  package var language: String?
  /// The description; HTML or text as the document has it.
  package var summary: String?
  /// The name of the author.
  package var author: String?
  /// The categories, in the order of the document.
  package var categories: [String] = []
  /// The site of the feed.
  package var site: WebURL?
  /// The URL of the feed's image.
  package var image: WebURL?
  /// The new URL of a moved feed, according to the document.
  package var newURL: WebURL?
  /// The URL of the next page, with older items (RFC 5005; `next_url` of JSON Feed).
  package var nextPage: WebURL?
  /// Whether the publisher declares that no more items will follow.
  package var isComplete = false
  /// The minimum time between requests that the publisher asks for, in milliseconds.
  package var minInterval: Int64?
  /// Whether the content is explicit, unless an item overrides it (`itunes:explicit`).
  package var isExplicit = false
  /// The items in the order of the document, each guid once.
  package var items: [FeedItem] = []

  /// Creates a feed without items.
  package init() {}

  /// Whether another document has one of the items: by guid, by file, or by title and time.
  package func sharesItem(with other: Feed) -> Bool {
    let known = Set(other.items.flatMap(\.evidence))
    return items.contains { $0.evidence.contains(where: known.contains) }
  }

  /// Adds an item. Of items with the same guid the newest is kept; without dates the first, as
  /// feeds start with the newest.
  ///
  /// - Parameter indices: the indices of the items by guid, kept between calls.
  mutating func add(_ item: FeedItem, _ indices: inout [String: Int]) {
    guard let index = indices[item.guid] else {
      indices[item.guid] = items.count
      items.append(item)
      return
    }
    let known = items[index].published
    if let published = item.published, published > known ?? published { items[index] = item }
  }
}

/// An item of a feed, independent of the format.
package struct FeedItem: Sendable, Equatable {
  /// The kind of an item.
  package enum Kind: String, Sendable {
    case full, trailer, bonus
  }

  /// The guid of the item, else the URL of its first file, else its page.
  package var guid = ""
  /// Whether the item itself gave the guid.
  package var hasGUID = true
  /// The title as one line of plain text.
  package var title: String?
  /// The time of publication.
  package var published: Timestamp?
  /// The day of publication in the publisher's zone.
  package var day: CalendarDay?
  /// The description; HTML or text as the document has it.
  package var summary: String?
  /// The playing time in milliseconds.
  package var duration: Int64?
  /// The season.
  package var season: Int64?
  /// The number within the season.
  package var number: Int64?
  /// Whether it is an episode, or only a trailer or bonus.
  package var kind = Kind.full
  /// The URL of its image.
  package var image: WebURL?
  /// Its page, as the document has it.
  package var page: String?
  /// Its files, which are alternatives of one another.
  package var media: [FeedMedia] = []
  /// Its subtitles and transcripts.
  package var transcripts: [FeedTranscript] = []
  /// The average rating of viewers.
  package var rating: Rating?
  /// The age rating (`media:rating`).
  package var ageRating: AgeRating?
  /// Whether its content is explicit (`itunes:explicit`); nil if the item does not say.
  package var isExplicit: Bool?
  /// Its chapters, `Chapter.maxCount` at most.
  package var chapters: [Chapter] = []
  /// The URL of a document with its chapters.
  package var chaptersURL: WebURL?
  /// The reason why it has no file; nil if it has one, or names none.
  package var refusal: Failure?

  /// Creates an empty item.
  package init() {}

  /// Texts that two documents share only if they have the item in common.
  fileprivate var evidence: [String] {
    var texts = media.flatMap(\.sources).map { "url \($0.withoutTracking)" }
    if hasGUID { texts.append("guid \(guid)") }
    if let title, let published { texts.append("time \(published.text) \(title)") }
    return texts
  }
}

/// One file of an item.
package struct FeedMedia: Sendable, Equatable {
  /// The mirrors, in the order of the document.
  package var sources: [WebURL]
  /// The declared media type in lower case, without parameters.
  package var type: String?
  /// The height of the picture in lines.
  package var height: Int64?
  /// The bit rate in bits per second.
  package var bitrate: Int64?
  /// The playing time in milliseconds.
  package var duration: Int64?
  /// The published length in bytes, which is often wrong.
  package var length: Int64?
  /// The published SHA-256.
  package var sha256: Digest?
  /// Whether the publisher prefers it.
  package var isDefault = false

  /// Creates a file with its mirrors.
  package init(_ sources: [WebURL]) {
    self.sources = sources
  }
}

/// Subtitles or a transcript of an item.
package struct FeedTranscript: Sendable, Equatable {
  /// The URL.
  package var url: WebURL
  /// The declared media type in lower case.
  package var type: String?
  /// The language as a BCP 47 tag in canonical spelling; nil for that of the feed.
  package var language: String?
  /// Whether it is declared to have times.
  package var isCaptions = false
}
