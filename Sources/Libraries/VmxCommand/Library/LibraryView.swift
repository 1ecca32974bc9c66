import Synchronization
package import VmxModel
package import VmxPresentation
package import VmxStore

/// A consistent view of the library for reading tools. It resolves operands to episodes, and adds
/// to an episode the facts that its row shows.
///
/// Used by one thread. It creates nothing on disk.
package final class LibraryView {
  /// The snapshot of the store.
  package let snapshot: StoreSnapshot
  private let due: DueRule
  private var folders: [String: String] = [:]
  private var ranks: QueueRanks?

  /// Opens the library of the context's home in its current state.
  ///
  /// - Throws: `bad-setting` if no setting names the home, `store-lost`, and the errors of the
  ///   store.
  package convenience init(in context: CommandContext) throws {
    self.init(
      try context.openStore(checkingForLoss: true).snapshot(), try context.dueRule())
  }

  /// Creates a view of a snapshot.
  ///
  /// - Parameter due: the rule that decides which episodes are due, and the time for which episodes
  ///   are shown.
  package init(_ snapshot: StoreSnapshot, _ due: DueRule) {
    self.snapshot = snapshot
    self.due = due
  }

  /// Gives the rows from now on the rank of their episodes, which takes a pass over the library.
  ///
  /// - Throws: errors of reading the store.
  package func rank() throws {
    if ranks == nil { ranks = try QueueRanks(snapshot, due) }
  }

  /// Warns that the store is damaged, if a read so far has met damage: records may be missing from
  /// the result, or be older versions.
  ///
  /// - Parameter asRow: whether JSON output gets a row with the warning too.
  /// - Throws: `output-failed`.
  package func warnOfDamage(in context: CommandContext, asRow: Bool = false) throws(OutputError) {
    guard let code = snapshot.damageMet else { return }
    let failure = Failure(
      code,
      code == .storeDamaged
        ? "the first line of the store is not a header, records may be missing"
        : "lines of the store cannot be read, records may be missing or older than they were",
      hint: "run 'vmx doctor', which tells what is damaged, and 'vmx doctor --mend'")
    context.messages.warn(failure)
    guard asRow, context.isJSON else { return }
    try context.write(FailureText.warning(failure, of: context.tool))
  }

  /// Prints the buffered rows and the warning about damage, and ends the command.
  ///
  /// - Throws: `CommandEnding` unless the status is 0; `output-failed`.
  package func conclude<Row: ListingRow>(
    _ reporter: RowReporter<Row>, in context: CommandContext
  ) throws {
    try reporter.end()
    try warnOfDamage(in: context, asRow: true)
    try reporter.conclude(notes: [])
  }

  /// Returns the episode of an id from the command line, after resolving aliases.
  ///
  /// - Throws: `no-such-episode`, also for a text that is not a valid id.
  package func episode(named text: String) throws -> Episode {
    if let id = EpisodeID(valid: text), let episode = try snapshot.episode(id) { return episode }
    throw Failure.noSuchEpisode(text)
  }

  /// Calls the closure with each selected episode until it returns false. The order is that of
  /// adding, or that of the rows on standard input.
  ///
  /// An unknown id or an invalid line is reported at once; the remaining episodes follow.
  ///
  /// - Returns: the episodes that were named by operands, also if the filters do not match them.
  /// - Throws: the errors of the closure; `input-missing` if standard input cannot be read.
  @discardableResult
  package func forEach<Row: ListingRow>(
    in selection: InputSelection<EpisodeID>, _ filters: FilterOptions,
    reporter: RowReporter<Row>, _ body: (Episode) throws -> Bool
  ) throws -> Set<EpisodeID> {
    var query = filters.query(due)
    if selection.source != .operands, !filters.includesRemoved { query.wants = Want.present }
    try selection.forEach { entry in
      switch entry {
      case .passing(let object): try reporter.pass(object)
      case .bad(let failure, let row):
        guard let place = row.place else {
          reporter.reportUnknown(failure)
          break
        }
        reporter.reportBadLine(failure, at: place)
      case .item(let id, let row):
        do {
          let episode = try episode(named: id.description)
          reporter.count(.done)
          guard row.place == nil else { return try body(episode) }
          query.ids.insert(episode.id)
        } catch let failure as Failure where failure.code == .noSuchEpisode {
          reporter.reportUnknown(failure, at: row.place)
        }
      }
      return true
    }
    switch selection.source {
    case .rows: break
    case .operands where query.ids.isEmpty: break
    case .operands, .filters: try snapshot.episodes(matching: query, body)
    }
    return query.ids
  }

  /// Returns the row of an episode with the facts that its record does not contain: the folders of
  /// its roots, and the bytes received so far.
  package func row(of episode: Episode) -> EpisodeRow {
    EpisodeRow(episode, facts(of: episode))
  }

  /// Returns the facts about an episode that its record does not contain.
  package func facts(of episode: Episode) -> EpisodeFacts {
    var facts = EpisodeFacts(due)
    facts.rank = ranks?.rank(of: episode.id)
    if episode.want == .fetch { facts.predecessor = snapshot.predecessor(among: episode.after) }
    for part in episode.parts {
      if let root = part.root, facts.folders[root] == nil {
        facts.folders[root] = folder(of: root)
      }
    }
    if let moving = episode.parts.first(where: { ($0.resumeState ?? $0.state) == .partial }),
      let progress = snapshot.record(.progress, episode.id.description)
    {
      let part = progress.fields["part"]?.string ?? moving.name
      facts.held[part] = progress.fields["bytes"]?.integer
    }
    return facts
  }

  private func folder(of root: String) -> String? {
    if let folder = folders[root] { return folder }
    let folder = snapshot.record(.root, root)?.fields["path"]?.string
    folders[root] = folder
    return folder
  }
}

/// Creates output rows for episodes that a writing tool has just recorded, with the full paths of
/// their files.
package final class EpisodeRows: Sendable {
  private let store: LibraryStore
  private let context: CommandContext
  /// The folders of the roots by UUID; the folder of a root never changes.
  private let folders = Mutex<[String: String]>([:])

  /// Creates rows for the episodes of a store.
  package init(of store: LibraryStore, in context: CommandContext) {
    self.store = store
    self.context = context
  }

  /// Returns the row of an episode in its current state.
  ///
  /// - Throws: the errors of the store; `bad-setting`.
  package func row(of episode: Episode) throws -> EpisodeRow {
    var facts = EpisodeFacts(try context.dueRule())
    for root in Set(episode.parts.compactMap(\.root)) {
      facts.folders[root] = try folder(of: root)
    }
    return EpisodeRow(episode, facts)
  }

  private func folder(of root: String) throws(StoreError) -> String? {
    if let folder = folders.withLock({ $0[root] }) { return folder }
    let folder = try store.snapshot().record(.root, root)?.fields["path"]?.string
    folders.withLock { $0[root] = folder }
    return folder
  }
}
