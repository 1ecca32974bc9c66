package import VmxCommand
import VmxModel
package import VmxPresentation
import VmxStore

/// Prints episodes as JSON Lines: first the existing ones, then each one again when it changes.
///
/// An episode that is removed from the library gives a line with `"deleted":true` if a line of it
/// was printed before. An episode that no longer matches gives no line.
package struct EpisodeStream {
  private let ids: [String]
  private let filters: FilterOptions
  private let prefix: String
  private let context: CommandContext

  /// Creates a stream of the selected episodes.
  package init(
    ids: [String], _ filters: FilterOptions, prefix: String, in context: CommandContext
  ) {
    self.ids = ids
    self.filters = filters
    self.prefix = prefix
    self.context = context
  }

  /// Prints until the reader closes the pipe or the user interrupts the tool.
  ///
  /// - Parameters:
  ///   - fields: the fields to print, besides `schema` and `id`.
  ///   - selection: the same selection, for the existing episodes.
  /// - Throws: always, to end the tool. An unknown id ends it at once.
  package func run(_ fields: [EpisodeField]?, from selection: EpisodeSelection) throws {
    let follower = try StoreFollower(try context.openStore())
    // The hashes of the printed ids; the ids themselves would take five times the memory.
    var printed: Set<Int> = []
    var wanted: Set<EpisodeID> = []
    let view = LibraryView(follower.snapshot, try context.dueRule())
    let status = try selection.forEach(in: view) { episode in
      if !ids.isEmpty { wanted.insert(episode.id) }
      guard episode.id.description.hasPrefix(prefix) else { return true }
      printed.insert(episode.id.hashValue)
      try write(view.row(of: episode).record(fields))
      return true
    }
    try view.warnOfDamage(in: context, asRow: true)
    if status != .success { throw CommandEnding.status(status) }
    if !ids.isEmpty { wanted.formUnion(try ids.map { try view.episode(named: $0).id }) }
    let watching = try Watching(in: context)
    while true {
      try watching.pause()
      var changes: [StoreChange] = []
      try follower.look { if $0.kind == .episode { changes.append($0) } }
      let view = LibraryView(follower.snapshot, try context.dueRule())
      for change in changes { try tell(change, fields, in: view, wanted, &printed) }
    }
  }

  private func tell(
    _ change: StoreChange, _ fields: [EpisodeField]?, in view: LibraryView,
    _ wanted: Set<EpisodeID>, _ printed: inout Set<Int>
  ) throws {
    guard let id = EpisodeID(valid: change.id) else { return }
    switch change.content {
    case .episode(let episode):
      var query = filters.query(try context.dueRule())
      query.ids = wanted
      guard query.matches(episode), change.id.hasPrefix(prefix) else { return }
      printed.insert(id.hashValue)
      try write(view.row(of: episode).record(fields))
    case .removed:
      guard printed.remove(id.hashValue) != nil else { return }
      var object = EpisodeJSON.head(change.id)
      object.append("deleted", true)
      try write(object)
    case .record: return
    }
  }

  private func write(_ object: JSONObject) throws(OutputError) {
    try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
  }
}
