import VmxMarkup
import VmxModel

/// Builds a feed from the events of an RSS or Atom document.
///
/// Elements are identified by `FeedVocabulary`. Wrongly nested content is parsed as far as
/// possible: HTML elements within a title are read as text, elements of unknown vocabularies are
/// skipped.
struct FeedXMLReader {
  /// The maximum size in bytes of one text.
  private static let maxTextBytes = 64 << 10
  /// The maximum size in bytes of all descriptions in a document. Later items have none.
  private static let maxSummaries = 32 << 20
  /// The maximum number of items in a document. Later ones are omitted.
  private static let maxItems = 100_000

  /// The maximum number of categories of a feed.
  private static let maxCategories = 16

  /// An open element.
  private struct Frame {
    let name: String
    let attributes: [String: String]
    var text: [UInt8] = []
    /// The base URL of references within the element.
    let base: WebURL?
  }

  /// The feed so far; nil if the root element is not that of a feed.
  private(set) var feed: Feed?
  /// The name of the root element.
  private(set) var root: String?
  private var frames: [Frame] = []
  private var draft: FeedItemDraft?
  private var indices: [String: Int] = [:]
  private var summaryBytes = 0
  /// The number of open elements within the element whose text is read, or within a skipped
  /// element.
  private var nested = 0
  private var isSkipping = false
  private let base: WebURL?

  /// Creates a reader.
  ///
  /// - Parameter base: the URL of the document.
  init(base: WebURL?) {
    self.base = base
  }

  /// Whether the rest of the document cannot change the feed.
  var isDone: Bool {
    root != nil && feed == nil || feed.map { $0.items.count } ?? 0 >= Self.maxItems
  }

  /// Processes the next event.
  mutating func receive(_ event: MarkupEvent) {
    switch event {
    case .begin(let element): begin(element)
    case .text(let text):
      guard !isSkipping, let last = frames.indices.last, Self.texts.contains(frames[last].name),
        frames[last].text.count < Self.maxTextBytes
      else { return }
      frames[last].text += text.utf8
    case .end:
      if nested > 0 {
        nested -= 1
        if nested == 0 { isSkipping = false }
      } else if let frame = frames.popLast() {
        end(frame)
      }
    }
  }

  private mutating func begin(_ element: MarkupElement) {
    let name = FeedVocabulary.name(of: element)
    guard root != nil else { return beginRoot(element, name) }
    if nested > 0 {
      nested += 1
    } else if let last = frames.last, Self.texts.contains(last.name) {
      nested = 1
    } else if Self.skipped.contains(name) || name.hasPrefix("-:") {
      (nested, isSkipping) = (1, true)
    } else {
      open(element, name)
    }
  }

  private mutating func beginRoot(_ element: MarkupElement, _ name: String) {
    root = element.name
    if ["rss", "rdf", "channel", "feed"].contains(name.lowercased()) { feed = Feed() }
    open(element, name)
  }

  private mutating func open(_ element: MarkupElement, _ name: String) {
    var base = frames.last?.base ?? base
    if let own = element.attributes["base"] {
      base = Self.url(own, base: base) ?? base
    }
    frames.append(Frame(name: name, attributes: element.attributes, base: base))
    switch name {
    case "item", "entry":
      if draft == nil { draft = FeedItemDraft() }
    case "podcast:alternateEnclosure": draft?.beginAlternative(element.attributes)
    default: break
    }
  }

  private mutating func end(_ frame: Frame) {
    let text = String(decoding: frame.text, as: UTF8.self)
    let parent = frames.last?.name ?? ""
    if draft == nil {
      endOfFeed(frame, text: text, in: parent)
    } else if frame.name == "item" || frame.name == "entry" {
      finishItem()
    } else if Self.parents.contains(parent) {
      draft?.apply(
        frame.name, attributes: frame.attributes, text: text, parent: parent, base: frame.base)
    }
  }

  private mutating func finishItem() {
    defer { draft = nil }
    guard var item = draft?.item else { return }
    summaryBytes += item.summary?.utf8.count ?? 0
    if summaryBytes > Self.maxSummaries { item.summary = nil }
    feed?.add(item, &indices)
  }
}

// The elements of the feed itself.
extension FeedXMLReader {
  private mutating func endOfFeed(_ frame: Frame, text: String, in parent: String) {
    let isDirect = ["channel", "feed", "rss", "RDF"].contains(parent)
    switch frame.name {
    case "title" where isDirect, "itunes:title" where isDirect:
      if feed?.title == nil { feed?.title = Self.line(text) }
    case "description" where isDirect, "itunes:summary" where isDirect, "subtitle" where isDirect:
      if feed?.summary == nil, !text.trimmed.isEmpty { feed?.summary = text }
    case "itunes:author" where isDirect, "name" where parent == "author":
      if feed?.author == nil { feed?.author = Self.line(text) }
    case "itunes:category" where isDirect: addCategory(frame.attributes["text"])
    case "category" where isDirect:
      addCategory(frame.attributes["label"] ?? frame.attributes["term"] ?? text)
    case "language" where isDirect: feed?.language = LanguageTag.normalised(text.trimmed)
    case "url" where parent == "image": setImage(text, frame)
    case "logo" where isDirect: setImage(text, frame)
    case "itunes:image" where isDirect: setImage(frame.attributes["href"] ?? "", frame)
    case "itunes:new-feed-url" where isDirect: feed?.newURL = Self.url(text, base: frame.base)
    case "itunes:complete" where isDirect:
      feed?.isComplete = text.trimmed.lowercased() == "yes"
    case "itunes:explicit" where isDirect:
      feed?.isExplicit = FeedItemDraft.isExplicit(text) ?? false
    case "ttl" where isDirect: feed?.minInterval = Int64(text.trimmed).flatMap(Self.minutes)
    case "link" where isDirect && frame.attributes["rel"] == "next":
      feed?.nextPage = frame.attributes["href"].flatMap { Self.url($0, base: frame.base) }
    case "link" where isDirect && frame.attributes["rel"] ?? "alternate" == "alternate":
      let reference = frame.attributes["href"] ?? text
      if feed?.site == nil { feed?.site = Self.url(reference, base: frame.base) }
    default: break
    }
    if frame.name == "feed", feed?.language == nil, let tag = frame.attributes["lang"] {
      feed?.language = LanguageTag.normalised(tag)
    }
  }

  private mutating func addCategory(_ text: String?) {
    guard let category = text.flatMap(Self.line), let known = feed?.categories,
      known.count < Self.maxCategories, !known.contains(category)
    else { return }
    feed?.categories.append(category)
  }

  private mutating func setImage(_ text: String, _ frame: Frame) {
    if feed?.image == nil { feed?.image = Self.url(text, base: frame.base) }
  }

  /// Returns minutes as milliseconds, at most one week; nil for 0 and negative numbers.
  private static func minutes(_ number: Int64) -> Int64? {
    number > 0 ? min(number, 7 * 24 * 60) * 60_000 : nil
  }

  /// Returns a text as one line without HTML; nil if it is empty.
  static func line(_ text: String) -> String? {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
    }
    let line = isPlain ? text.trimmed : HTMLText.line(text)
    return line.isEmpty ? nil : line
  }

  /// Returns the URL of a reference; nil if it cannot be fetched.
  static func url(_ text: String, base: WebURL?) -> WebURL? {
    try? WebURL(reference: text, base: base)
  }

  /// The elements whose text is read.
  private static let texts: Set<String> = [
    "title", "itunes:title", "media:title", "link", "guid", "id", "pubDate", "published", "updated",
    "issued", "modified", "dc:date", "description", "itunes:summary", "itunes:subtitle",
    "content:encoded", "summary", "content", "media:description", "itunes:duration",
    "itunes:season", "itunes:episode", "itunes:episodeType", "podcast:season", "podcast:episode",
    "language", "url", "logo", "itunes:new-feed-url", "itunes:complete", "ttl",
    "itunes:explicit", "media:rating", "itunes:author", "name", "subtitle", "category",
  ]
  /// The elements whose content is skipped because it describes no item of the feed.
  private static let skipped: Set<String> = [
    "podcast:liveItem", "podcast:value", "podcast:publisher", "source", "textinput", "textInput",
    "podcast:podroll",
  ]
  /// The elements whose children describe an item.
  private static let parents: Set<String> = [
    "item", "entry", "media:group", "media:content", "podcast:alternateEnclosure", "image",
    "psc:chapters", "media:community",
  ]
}
