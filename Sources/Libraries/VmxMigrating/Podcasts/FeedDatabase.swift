package import SystemPackage
package import VmxMarkup
import VmxModel
import VmxSystem

// Podcast programs keep their feeds and items in tables that differ only in names. So one reader
// serves all, by a layout of each program.

/// The feeds and items in the database of a podcast program, read through `sqlite3`.
struct FeedDatabase {
  let path: FilePath
  private let layout: FeedDatabaseLayout
  private let file: SQLiteFile
  private let tables: [SQLiteFile.Table]
  /// The feeds by their keys.
  let feeds: [String: FeedDatabaseFeed]

  /// Reads the feeds.
  ///
  /// - Throws: `program-missing`; `record-unreadable` if the tables are not those of the layout.
  init(_ path: FilePath, layout: FeedDatabaseLayout, tools: LegacyTools) throws {
    self.path = path
    self.layout = layout
    file = try SQLiteFile(path, tools)
    tables = try file.tables()
    guard let table = tables.first(where: { $0.name == layout.feeds.table }),
      layout.isOfProgram(tables)
    else {
      throw Failure(
        .recordUnreadable, "the database '\(path)' is not of \(layout.program.rawValue)")
    }
    var feeds: [String: FeedDatabaseFeed] = [:]
    try file.forEachRow(of: table, layout.feeds.columns) { row in
      let row = Self.named(row)
      guard let key = row[layout.feeds.key]?.keyText else { return }
      feeds[key] = FeedDatabaseFeed(row, layout.feeds)
    }
    self.feeds = feeds
  }

  /// Calls the body with each item of a known feed, in the order of their rows.
  ///
  /// - Throws: as `SQLiteFile.forEachRow`, and the errors of the body.
  func forEachItem(_ body: (FeedDatabaseItem, FeedDatabaseFeed) throws -> Void) throws {
    guard let items = layout.items, let table = tables.first(where: { $0.name == items.table })
    else { return }
    var joined: [Int64: [String: PropertyList]] = [:]
    for other in items.joined {
      guard let table = tables.first(where: { $0.name == other.table }) else { continue }
      try file.forEachRow(of: table, [other.item] + other.columns) { row in
        var row = Self.named(row)
        guard let item = row.removeValue(forKey: other.item)?.integer else { return }
        row[other.table] = .bool(true)
        joined[item, default: [:]].merge(row) { first, _ in first }
      }
    }
    try file.forEachRow(of: table, ["id", items.feed] + items.columns) { row in
      let row = Self.named(row)
      guard let id = row["id"]?.integer, let feed = row[items.feed]?.keyText.flatMap({ feeds[$0] })
      else { return }
      let all = row.merging(joined[id] ?? [:]) { own, _ in own }
      try body(items.item(all, id), feed)
    }
  }

  /// Returns the values of a row by their columns.
  static func named(_ row: [PropertyList.Field]) -> [String: PropertyList] {
    Dictionary(row.map { ($0.key, $0.value) }) { first, _ in first }
  }
}

/// A feed of a podcast program.
struct FeedDatabaseFeed {
  let title: String
  /// The URL in the form in which a subscription records it; as written if it is not valid.
  let address: String
  /// The entry of a list of subscriptions, with user and password.
  let entry: SubscriptionList.Feed

  fileprivate init(_ row: [String: PropertyList], _ table: FeedDatabaseLayout.Feeds) {
    func text(_ column: String?) -> String { column.flatMap { row[$0]?.string } ?? "" }
    let url = text(table.url)
    title = table.titles.lazy.map(text).first { !$0.isEmpty } ?? ""
    do throws(Failure) {
      address = try WebURL(url).text
    } catch {
      address = url
    }
    entry = SubscriptionList.Feed(
      title: title, url: url, user: text(table.user), password: text(table.password))
  }
}

extension PropertyList {
  /// A number or a text as the key of a row.
  fileprivate var keyText: String? { string ?? integer.map { "\($0)" } }
}

extension SubscriptionList {
  /// Reads the subscriptions in a database of gPodder, AntennaPod, newsboat or castero; nil for a
  /// file that is no database.
  ///
  /// - Throws: `source-unsupported` for a database of another program, `program-missing`,
  ///   `record-unreadable`, `FileError`.
  package init?(database path: FilePath, _ tools: LegacyTools) throws {
    guard try SQLiteFile.isMarked(path) else { return nil }
    guard let program = try ForeignDatabase.program(of: path), let layout = program.layout else {
      throw Failure(
        .sourceUnsupported, "'\(path)' is a SQLite database without feeds that vmx can read",
        hint: "export the subscriptions of its program as OPML, then import that file")
    }
    let database = try FeedDatabase(path, layout: layout, tools: tools)
    self.init(feeds: database.feeds.sorted { $0.key < $1.key }.map(\.value.entry))
  }
}
