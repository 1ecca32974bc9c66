import VmxMarkup
import VmxModel

/// The tables of a podcast program, and the meaning of their columns.
struct FeedDatabaseLayout: Sendable {
  /// The table of feeds.
  struct Feeds: Sendable {
    let table: String
    /// The column that the items name.
    let key: String
    /// The columns of titles, that of the user first.
    let titles: [String]
    let url: String
    var user: String?
    var password: String?

    var columns: [String] { [key] + titles + [url, user, password].compactMap(\.self) }
  }

  /// The table of items, whose column `id` has their ids.
  struct Items: Sendable {
    /// A table with more values of items, or a list of items. In the values of its items, its name
    /// is true.
    struct Joined: Sendable {
      let table: String
      /// The column with the id of the item.
      let item: String
      var columns: [String] = []
    }

    let table: String
    /// The column with the key of the feed.
    let feed: String
    let columns: [String]
    var joined: [Joined] = []
    /// Decodes the values of an item.
    let item: @Sendable ([String: PropertyList], Int64) -> FeedDatabaseItem
  }

  let program: ForeignDatabase.Program
  let feeds: Feeds
  /// The items; nil if another reader reads them.
  var items: Items?

  /// Whether the tables have the columns of feeds and items.
  func isOfProgram(_ tables: [SQLiteFile.Table]) -> Bool {
    func has(_ table: String, _ columns: [String]) -> Bool {
      tables.contains { $0.name == table && columns.allSatisfy($0.has) }
    }
    return has(feeds.table, [feeds.key, feeds.url])
      && items.map { has($0.table, ["id", $0.feed]) } ?? true
  }
}

extension ForeignDatabase.Program {
  /// The tables of feeds and items; nil for a program that has none.
  var layout: FeedDatabaseLayout? {
    switch self {
    case .antennaPod: .antennaPod
    case .newsboat: .newsboat
    case .castero: .castero
    case .gpodder: .gpodder
    case .kodi: nil
    }
  }
}

extension FeedDatabaseLayout {
  // The column `read` is 1 for an item that was played to its end. Times are in milliseconds.
  fileprivate static let antennaPod = FeedDatabaseLayout(
    program: .antennaPod,
    feeds: Feeds(
      table: "Feeds", key: "id", titles: ["custom_title", "title"], url: "download_url",
      user: "username", password: "password"),
    items: Items(
      table: "FeedItems", feed: "feed",
      columns: ["title", "pubDate", "read", "description", "item_identifier"],
      joined: [
        Items.Joined(
          table: "FeedMedia", item: "feeditem",
          columns: [
            "duration", "download_url", "position", "mime_type", "playback_completion_date",
            "last_played_time",
          ]),
        Items.Joined(table: "Queue", item: "feeditem"),
        Items.Joined(table: "Favorites", item: "feeditem"),
      ]
    ) { row, id in
      var item = FeedDatabaseItem(
        row, id,
        texts: .init(
          title: "title", guid: "item_identifier", text: "description", url: "download_url",
          type: "mime_type"))
      item.publish(row.positive("pubDate").map(Timestamp.init(milliseconds:)))
      item.duration = row.positive("duration").flatMap { $0 < 1_000_000_000_000 ? $0 : nil }
      let last = ["last_played_time", "playback_completion_date"].compactMap(row.positive).max()
      item.play(
        to: row.positive("position"), at: last.map(Timestamp.init(milliseconds:)),
        isPlayed: row["read"]?.integer == 1)
      item.isKept = row["Favorites"] != nil
      item.status = row["Queue"] != nil ? .requested : .known
      return item
    })

  // A flag is a letter whose meaning the user chooses, so each marks an item to keep. An item that
  // was only enqueued is in the file `queue` of podboat until it is removed there.
  fileprivate static let newsboat = FeedDatabaseLayout(
    program: .newsboat,
    feeds: Feeds(table: "rss_feed", key: "rssurl", titles: ["title"], url: "rssurl"),
    items: Items(
      table: "rss_item", feed: "feedurl",
      columns: [
        "guid", "title", "pubDate", "content", "unread", "enclosure_url", "enclosure_type",
        "flags", "deleted",
      ]
    ) { row, id in
      var item = FeedDatabaseItem(
        row, id,
        texts: .init(
          title: "title", guid: "guid", text: "content", url: "enclosure_url",
          type: "enclosure_type"))
      item.publish(row.positive("pubDate").map(Timestamp.init(seconds:)))
      item.play(to: nil, at: nil, isPlayed: row["unread"]?.integer == 0)
      item.isKept = row["flags"]?.string?.isEmpty == false
      item.status = row.positive("deleted") != nil ? .removed : .known
      return item
    })

  // The key of a feed is its URL, or the path of a local file; an item has no guid.
  fileprivate static let castero = FeedDatabaseLayout(
    program: .castero,
    feeds: Feeds(table: "feed", key: "key", titles: ["title"], url: "key"),
    items: Items(
      table: "episode", feed: "feed_key",
      columns: ["title", "description", "pubdate", "enclosure", "played"],
      joined: [
        Items.Joined(table: "queue", item: "ep_id"),
        Items.Joined(table: "progress", item: "ep_id", columns: ["time"]),
      ]
    ) { row, id in
      var item = FeedDatabaseItem(
        row, id,
        texts: .init(title: "title", guid: nil, text: "description", url: "enclosure", type: nil))
      item.date = row["pubdate"]?.string.flatMap { CalendarDay(ofMail: $0) }
      item.play(
        to: row.positive("time"), at: nil,
        isPlayed: row.positive("played") != nil || row["played"]?.string == "True")
      item.status = row["queue"] != nil ? .requested : .known
      return item
    })

  fileprivate static let gpodder = FeedDatabaseLayout(
    program: .gpodder,
    feeds: Feeds(
      table: "podcast", key: "id", titles: ["title"], url: "url", user: "auth_username",
      password: "auth_password"))
}

extension [String: PropertyList] {
  /// Returns a number above 0; nil for another value.
  func positive(_ name: String) -> Int64? { self[name]?.integer.flatMap { $0 > 0 ? $0 : nil } }
}

extension CalendarDay {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads the day of a time as in mail, such as `Thu, 02 May 2024 10:00:00 GMT` (RFC 2822, section
  /// 3.3), or the day at the start of a text.
  fileprivate init?(ofMail text: String) {
    let words = text.split { $0 == " " || $0 == "," }
    guard
      let index = words.firstIndex(where: { Self.months.contains($0.prefix(3).lowercased()) }),
      index > 0, index + 1 < words.count,
      let month = Self.months.firstIndex(of: words[index].prefix(3).lowercased())
    else {
      self.init(String(text.prefix(10)))
      return
    }
    func padded(_ text: some StringProtocol) -> String { (text.count < 2 ? "0" : "") + text }
    self.init("\(words[index + 1])-\(padded("\(month + 1)"))-\(padded(words[index - 1]))")
  }
}
