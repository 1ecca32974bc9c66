import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// AntennaPod exports its database with all episodes of all feeds; the files stay on the phone. User
// names and passwords of feeds are not read.

/// Reads a database that AntennaPod has exported. It may lie in a folder of any kind.
struct AntennaPodReader {
  private static let feeds = "Feeds"
  private static let items = "FeedItems"
  private static let media = "FeedMedia"

  private let tools: LegacyTools
  private let kind: LegacyKind

  /// Creates a reader.
  ///
  /// - Parameter kind: the kind of the folder, for its rows.
  init(_ tools: LegacyTools, of kind: LegacyKind) {
    self.tools = tools
    self.kind = kind
  }

  /// Calls the body with each item of a database, or with the failure to read it.
  ///
  /// - Throws: errors of the body and of the file system.
  func read(
    _ database: LegacyFolder.File, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    do {
      try readItems(database, body)
    } catch let failure as any CodedError
      where [.recordUnreadable, .programMissing].contains(failure.code)
    {
      try body([.refused("\(database.path)", Failure(failure))])
    }
  }

  private func readItems(
    _ database: LegacyFolder.File, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    let file = try SQLiteFile(database.path, tools)
    let tables = try file.tables()
    func table(_ name: String) throws(Failure) -> SQLiteFile.Table {
      guard let table = tables.first(where: { $0.name == name }) else {
        throw Failure(
          .recordUnreadable, "the database '\(database.path)' is not of AntennaPod")
      }
      return table
    }
    var feeds: [Int64: AntennaPodFeed] = [:]
    try file.forEachRow(of: table(Self.feeds), AntennaPodFeed.columns) { row in
      let row = Self.named(row)
      if let id = row["id"]?.integer { feeds[id] = AntennaPodFeed(row) }
    }
    var media: [Int64: AntennaPodMedia] = [:]
    try file.forEachRow(of: table(Self.media), AntennaPodMedia.columns) { row in
      let row = Self.named(row)
      if let item = row["feeditem"]?.integer { media[item] = AntennaPodMedia(row) }
    }
    let marks = AntennaPodMarks(
      queue: try items(of: "Queue", in: file, tables),
      favourites: try items(of: "Favorites", in: file, tables))
    var keys = SharedKeys()
    let items = try table(Self.items)
    func forEach(_ body: (LegacyFinding) throws -> Void) throws {
      try file.forEachRow(of: items, AntennaPodItem.columns) { row in
        let item = AntennaPodItem(Self.named(row))
        guard let feed = feeds[item.feed], let media = media[item.id] else { return }
        try body(try item.finding(of: feed, media, marks, in: database, kind))
      }
    }
    try forEach { if case .episode(let episode) = $0 { keys.record(episode) } }
    try forEach { finding in
      guard case .episode(var episode) = finding else { return try body([finding]) }
      keys.withhold(in: &episode)
      try body([.episode(episode)])
    }
  }

  /// Returns the ids of the items in a list; none if the database lacks it.
  private func items(
    of list: String, in file: SQLiteFile, _ tables: [SQLiteFile.Table]
  ) throws -> Set<Int64> {
    guard let table = tables.first(where: { $0.name == list }) else { return [] }
    var items: Set<Int64> = []
    try file.forEachRow(of: table, ["feeditem"]) { row in
      if let item = row.first?.value.integer { items.insert(item) }
    }
    return items
  }

  private static func named(_ row: [PropertyList.Field]) -> [String: PropertyList] {
    Dictionary(row.map { ($0.key, $0.value) }) { first, _ in first }
  }
}
