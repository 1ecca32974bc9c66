import VmxJSON
import VmxModel

/// Builds a feed from a JSON Feed document (versions 1 and 1.1).
struct FeedJSONReader {
  /// The maximum size of a document in bytes, since all its values are in memory during parsing.
  static let maxBytes = 32 << 20

  private let base: WebURL?

  init(base: WebURL?) {
    self.base = base
  }

  /// Parses a document; nil if it is not a JSON Feed.
  func feed(_ bytes: [UInt8]) -> Feed? {
    guard let document = (try? JSONParser().parse(bytes))?.object,
      let items = document["items"]?.array,
      document["version"]?.string?.contains("jsonfeed.org") ?? false
    else { return nil }
    var feed = Feed()
    feed.title = document["title"]?.string.flatMap(FeedXMLReader.line)
    feed.language = document["language"]?.string.flatMap(LanguageTag.normalised)
    feed.image = url(document["icon"]) ?? url(document["favicon"])
    feed.summary = document["description"]?.string
    let authors = document["authors"]?.array?.compactMap(\.object) ?? []
    feed.author = (authors.first ?? document["author"]?.object)?["name"]?.string
      .flatMap(FeedXMLReader.line)
    feed.site = url(document["home_page_url"])
    feed.nextPage = url(document["next_url"])
    feed.isComplete = document["expired"]?.bool ?? false
    var indices: [String: Int] = [:]
    for object in items.compactMap(\.object) {
      for item in self.items(object) { feed.add(item, &indices) }
    }
    return feed
  }

  /// Returns the items of an object: one, or one for each title of its attachments. Attachments
  /// with one title are one content in several formats (JSON Feed 1.1, `attachments`).
  private func items(_ object: JSONObject) -> [FeedItem] {
    let attachments = object["attachments"]?.array?.compactMap(\.object) ?? []
    var titles: [String?] = []
    for attachment in attachments where !titles.contains(title(of: attachment)) {
      titles.append(title(of: attachment))
    }
    let whole = item(object, attachments)
    let parts = titles.map { title in
      item(object, attachments.filter { self.title(of: $0) == title })
    }
    let playable = zip(titles, parts).filter { !$0.1.media.isEmpty }
    guard playable.count > 1 else { return [whole] }
    return playable.map { title, part in
      guard let title else { return part }
      var part = part
      part.title = part.title.map { "\($0): \(title)" } ?? title
      if part.hasGUID { part.guid += "#\(title)" }
      return part
    }
  }

  private func title(of attachment: JSONObject) -> String? {
    attachment["title"]?.string.flatMap(FeedXMLReader.line)
  }

  private func item(_ object: JSONObject, _ attachments: [JSONObject]) -> FeedItem {
    var item = FeedItem()
    item.guid = Self.text(object["id"]) ?? ""
    item.title = Self.text(object["title"]).flatMap(FeedXMLReader.line)
    let date = [object["date_published"], object["date_modified"]].lazy
      .compactMap { $0?.string.flatMap(FeedDate.parse) }.first
    (item.published, item.day) = (date?.time, date?.day)
    item.summary = ["content_html", "content_text", "summary"].lazy
      .compactMap { object[$0]?.string }.first { !$0.isEmpty }
    item.image = url(object["image"]) ?? url(object["banner_image"])
    item.page = url(object["url"])?.text
    for attachment in attachments {
      guard let reference = attachment["url"]?.string else { continue }
      let type = FeedItemDraft.mediaType(attachment["mime_type"]?.string)
      item.addMedia(reference, type: type, base: base) { media in
        media.duration = attachment["duration_in_seconds"].flatMap(Self.milliseconds)
      }
    }
    item.duration = item.media.lazy.compactMap(\.duration).first
    if !item.media.isEmpty { item.refusal = nil }
    item.chooseGUID()
    return item
  }

  private func url(_ value: JSONValue?) -> WebURL? {
    value?.string.flatMap { FeedXMLReader.url($0, base: base) }
  }

  /// Returns a string, or a number as a string.
  private static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)?: text.isEmpty ? nil : text
    case .integer(let number)?: String(number)
    case .unsigned(let number)?: String(number)
    case .double(let number)?: String(number)
    default: nil
    }
  }

  private static func milliseconds(_ value: JSONValue) -> Int64? {
    let seconds: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    guard let seconds, seconds > 0, seconds < 1e9 else { return nil }
    return Int64(seconds * 1000)
  }
}
