import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// The files of the items stay where the program runs, or are migrated as a folder of their own, and
// join these records by their names.

/// Reads the items in the database of a podcast program. It may lie in a folder of any kind.
struct FeedDatabaseReader {
  private let layout: FeedDatabaseLayout
  private let tools: LegacyTools
  private let kind: LegacyKind

  /// Creates a reader.
  ///
  /// - Parameter kind: the kind of the folder, for its rows.
  init(_ layout: FeedDatabaseLayout, _ tools: LegacyTools, of kind: LegacyKind) {
    self.layout = layout
    self.tools = tools
    self.kind = kind
  }

  /// Calls the body with each item of a database, or with the failure to read it.
  ///
  /// - Parameter queue: the queue of podboat; an item in it has the state that it has there.
  /// - Throws: errors of the body and of the file system.
  func read(
    _ database: LegacyFolder.File, queue: PodboatQueue?, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    do {
      try readItems(of: database, queue: queue, body: body)
    } catch let failure as any CodedError
      where [.recordUnreadable, .programMissing].contains(failure.code)
    {
      try body([.refused("\(database.path)", Failure(failure))])
    }
  }

  private func readItems(
    of file: LegacyFolder.File, queue: PodboatQueue?, body: ([LegacyFinding]) throws -> Void
  ) throws {
    let database = try FeedDatabase(file.path, layout: layout, tools: tools)
    let urls = database.feeds.values.map(\.entry.url).sorted()
    if !urls.isEmpty { try body([.subscriptions(file.path, urls)]) }
    var keys = SharedKeys()
    var queued: [String: PodboatQueue.Entry] = [:]
    func forEach(_ body: (LegacyFinding) throws -> Void) throws {
      try database.forEachItem { item, feed in
        guard !item.url.isEmpty else { return }
        var item = item
        if let entry = queued[item.url] ?? queue?.take(item.url) {
          queued[item.url] = entry
          item.apply(entry)
        }
        try body(
          try item.finding(
            of: feed, in: file, layout.program, kind, takesAudio: tools.takesAudio))
      }
    }
    try forEach { if case .episode(let episode) = $0 { keys.record(episode) } }
    try forEach { finding in
      guard case .episode(var episode) = finding else { return try body([finding]) }
      keys.withhold(in: &episode)
      try body([.episode(episode)])
    }
  }
}
