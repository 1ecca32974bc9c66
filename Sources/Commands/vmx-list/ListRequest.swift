import VmxBrowsing
import VmxCommand
import VmxModel
import VmxPresentation

/// The requested episodes, and the ways of printing them.
struct ListRequest {
  private let selection: EpisodeSelection
  private let stream: EpisodeStream
  private let prefix: String
  private let limit: Int
  private let context: CommandContext

  init(
    ids: [String], filters: FilterOptions, prefix: String, limit: Int, in context: CommandContext
  ) {
    selection = EpisodeSelection(ids, filters, in: context)
    stream = EpisodeStream(ids: ids, filters, prefix: prefix, in: context)
    self.prefix = prefix
    self.limit = limit
    self.context = context
  }

  /// Prints the episodes, sorted if an order was given.
  func print(_ form: OutputForm<EpisodeField>, order: SortOrder?) throws {
    var order = order
    let view = try LibraryView(in: context)
    var listing = Listing<EpisodeRow>(form, to: context.output, context.terminal)
    var left = limit
    let status = try forEach(in: view) { episode in
      guard left > 0 else { return false }
      let row = view.row(of: episode)
      guard order == nil else {
        order?.add(row)
        return true
      }
      try listing.row(row)
      left -= 1
      return left > 0
    }
    try order?.forEach { id in
      guard left > 0 else { return }
      try listing.row(view.row(of: try view.episode(named: id)))
      left -= 1
    }
    try listing.end()
    try view.warnOfDamage(in: context, asRow: true)
    if status != .success { throw CommandEnding.status(status) }
  }

  /// Prints the history of the episodes.
  func printHistory(_ form: OutputForm<HistoryField>, since: Timestamp?) throws {
    var history = EpisodeHistory(since: since, now: context.clock.now)
    let view = try LibraryView(in: context)
    let status = try forEach(in: view) { episode in
      history.add(episode)
      return true
    }
    var listing = Listing<HistoryRow>(form, to: context.output, context.terminal)
    try history.forEach(limit: limit) { try listing.row($0) }
    try listing.end()
    try view.warnOfDamage(in: context, asRow: true)
    if status != .success { throw CommandEnding.status(status) }
  }

  /// Prints the episodes, and then each change of an episode.
  func follow(_ fields: [EpisodeField]?) throws {
    try stream.run(fields, from: selection)
  }

  private func forEach(
    in view: LibraryView, _ body: (Episode) throws -> Bool
  ) throws -> ExitStatus {
    try selection.forEach(in: view) { episode in
      guard episode.id.description.hasPrefix(prefix) else { return true }
      return try body(episode)
    }
  }
}
