package import VmxModel
package import VmxPresentation
import VmxStore

/// Prints episodes as JSON Lines: first the existing ones, then each one again when it changes.
///
/// An episode that is removed from the library gives a line with `"deleted":true` if a line of it
/// was printed before. An episode that no longer matches gives no line.
package struct EpisodeStream {
  private let filters: FilterOptions
  private let prefix: String
  private let reporter: RowReporter<EpisodeRow>
  private let context: CommandContext
  /// The hashes of the printed ids; the ids themselves would take five times the memory.
  private var printed: Set<Int> = []
  /// The named episodes; empty if filters select them.
  private var named: Set<EpisodeID> = []

  /// Creates a stream of episodes that match the filters and whose ids have a prefix.
  package init(
    _ filters: FilterOptions, prefix: String, to reporter: RowReporter<EpisodeRow>,
    in context: CommandContext
  ) {
    self.filters = filters
    self.prefix = prefix
    self.reporter = reporter
    self.context = context
  }

  /// Prints until the reader closes the pipe or the user interrupts the tool.
  ///
  /// - Throws: always, to end the tool. An unknown id ends it at once.
  package mutating func run(_ selection: InputSelection<EpisodeID>) throws {
    let follower = try StoreFollower(try context.openStore())
    let view = LibraryView(follower.snapshot, try context.dueRule())
    named = try view.forEach(in: selection, filters, reporter: reporter) { episode in
      try print(episode, in: view)
      return true
    }
    try view.conclude(reporter, in: context)
    let loop = try PollLoop(in: context)
    while true {
      try loop.pause()
      var changes: [StoreChange] = []
      try follower.look { if $0.kind == .episode { changes.append($0) } }
      let view = LibraryView(follower.snapshot, try context.dueRule())
      for change in changes { try print(change, in: view) }
    }
  }

  private mutating func print(_ change: StoreChange, in view: LibraryView) throws {
    guard let id = EpisodeID(valid: change.id) else { return }
    switch change.content {
    case .episode(let episode):
      var query = filters.query(try context.dueRule())
      query.ids = named
      if query.matches(episode) { try print(episode, in: view) }
    case .removed:
      guard printed.remove(id.hashValue) != nil else { return }
      var object = EpisodeJSON.head(change.id)
      object.append("deleted", true)
      try context.write(object)
    case .record: return
    }
  }

  private mutating func print(_ episode: Episode, in view: LibraryView) throws(OutputError) {
    guard episode.id.description.hasPrefix(prefix) else { return }
    printed.insert(episode.id.hashValue)
    try reporter.print(view.row(of: episode), flushing: false)
  }
}
