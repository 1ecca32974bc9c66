import VmxModel
import VmxNaming

/// An item of a feed as podcast-archiver describes it, in a file `.info.json` beside the video.
///
///     if let item = PodcastArchiverItem(object) { item.describe(&description) }
struct PodcastArchiverItem {
  private let object: JSONObject
  private let enclosure: JSONObject

  /// - Returns: nil for an object of another program.
  init?(_ object: JSONObject) {
    guard object["id"] == nil, object["guid"]?.string != nil,
      case .object(let enclosure) = object["enclosure"]
    else { return nil }
    (self.object, self.enclosure) = (object, enclosure)
  }

  /// Adds what the object tells to the description of an episode.
  func describe(_ description: inout EpisodeDescription) {
    if let guid = text("guid").flatMap(IdentityKey.item(ofAnyFeed:)) {
      description.identity.append(guid)
    }
    if let source = Self.url(enclosure["href"]) {
      description.identity.append(.source(source.withoutTracking))
    }
    if let size = enclosure["length"]?.integer, size > 0 { description.sizes.insert(size) }
    description.title = text("original_title") ?? description.title
    description.date = text("published_time").flatMap { CalendarDay(ofProgram: $0) }
    description.summary = description.summary ?? text("summary")
    description.pageURL = page?.withoutTracking
  }

  private var page: WebURL? {
    for case .object(let link) in object["links"]?.array ?? []
    where link["rel"]?.string == "alternate" {
      return Self.url(link["href"])
    }
    return nil
  }

  private func text(_ field: String) -> String? {
    object[field]?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private static func url(_ value: JSONValue?) -> WebURL? {
    guard let text = value?.string else { return nil }
    do throws(Failure) {
      return try WebURL(text)
    } catch {
      // The guid identifies an item whose URL vmx does not fetch.
      return nil
    }
  }
}
