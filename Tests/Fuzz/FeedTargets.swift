import VmxCatalogue
import VmxJSON
import VmxMarkup
import VmxModel

/// Readers of the responses of feeds and catalogues: RSS, Atom, JSON Feed, HTML of summaries,
/// TVMaze.
enum FeedTargets {
  static let all = [
    FuzzTarget(name: "feed", take: feed), FuzzTarget(name: "html", take: html),
    FuzzTarget(name: "tvmaze", take: records),
  ]

  @Sendable private static func feed(_ bytes: [UInt8]) {
    let document = HTTPResponse(bytes: bytes, url: "https://h.example/a/feed.xml")
    do throws(Failure) {
      let feed = try FeedReader.read(document)
      hold(feed.title?.isEmpty != true, "no title is empty")
      hold(feed.minInterval ?? 1 > 0, "no time is 0")
      hold(Set(feed.items.map(\.guid)).count == feed.items.count, "a guid names one item")
      let names = FeedNames(identity: "https://h.example/a/feed.xml", show: feed.title ?? "F")
      for item in feed.items { check(item, names) }
    } catch {
      hold(error.code != .internalError, "what is no feed says why")
    }
  }

  private static func check(_ item: FeedItem, _ names: FeedNames) {
    hold(item.title?.contains { $0.isNewline } != true, "a title is one line")
    hold(item.season ?? 0 >= 0 && item.number ?? 0 >= 0, "no number is below zero")
    hold(item.duration ?? 1 > 0, "no time is 0")
    hold(item.chapters.count <= Chapter.maxCount, "the chapters are few")
    hold(item.chapters.allSatisfy { $0.start >= 0 }, "no time is below zero")
    hold((0...100).contains(item.rating?.tenths ?? 0), "a rating is of ten")
    hold(item.media.allSatisfy { !$0.sources.isEmpty }, "a file has an address")
    do throws(Failure) {
      let description = try item.description(in: names)
      hold((description == nil) == item.media.isEmpty, "an item with a file is an episode")
      hold(description?.identityKeys.isEmpty != true, "an episode is known by something")
      hold(EpisodeID(valid: description?.proposedID.description ?? "a/b") != nil, "an id is one")
      hold(description?.summary?.utf8.count ?? 0 <= 16 << 10, "a summary is short")
    } catch {
      // The item contains a part twice.
      hold(error.code == .badLine || error.code == .badURL, "an item fails for what it says")
    }
  }

  @Sendable private static func html(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let plain = HTMLText.plainText(text)
    hold(
      !plain.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }, "no controls")
    hold(!HTMLText.line(text).contains { $0.isNewline }, "a line is one")
  }

  @Sendable private static func records(_ bytes: [UInt8]) {
    do throws(JSONSyntaxError) {
      let value = try JSONParser().parse(bytes)
      for value in value.array ?? [value] {
        let show = TVMazeDecoder.show(value)
        hold(show?.id ?? 1 > 0 && show?.title.isEmpty != true, "a show has an id and a title")
        hold(show?.duration ?? 1 > 0, "no time is 0")
        let episode = TVMazeDecoder.episode(value)
        hold(episode?.id ?? 1 > 0 && episode?.title.isEmpty != true, "an episode has both, too")
        hold(episode?.season ?? 0 >= 0 && episode?.number ?? 0 >= 0, "no number is below zero")
        if let show, let episode { _ = episode.episodeID(show: show.slug) }
        hold(TVMazeDecoder.person(value)?.name.isEmpty != true, "a person has a name")
        for kind in CatalogueCredit.Kind.allCases { _ = TVMazeDecoder.credit(value, kind) }
      }
    } catch {
      // Another target tests JSON.
    }
  }
}
