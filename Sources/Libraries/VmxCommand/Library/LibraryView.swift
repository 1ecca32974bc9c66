import Synchronization
import SystemPackage
package import VmxModel
package import VmxPresentation
package import VmxStore
package import VmxSystem

/// A consistent view of the library for reading tools. It resolves operands to episodes, and adds
/// to an episode the facts that its row shows.
///
/// Used by one thread. It creates nothing on disk.
package final class LibraryView {
  /// The snapshot of the store; each read of standard input updates it.
  package private(set) var snapshot: StoreSnapshot
  private let store: LibraryStore?
  private let due: DueRule
  private let parental: ParentalGuard?
  private var folders: [String: String] = [:]
  /// The age ratings of shows by slug; nil for a show without one.
  private var ageRatings: [String: String?] = [:]
  private var ranks: QueueRanks?
  /// Whether rows contain the image of their episode, from the library or the catalogue's cache.
  private var findsImages = false
  /// Whether rows contain the position at which playback resumes.
  package var findsPositions = false
  private var images: ImageCache?
  /// The rows of standard input by episode, if they have fields that vmx does not know.
  private var received: [EpisodeID: JSONObject] = [:]
  /// The current episode of a pass in queue order, and its rank.
  private var current: (id: EpisodeID, rank: Int)?
  /// Whether any episode is claimed; nil before the first check.
  private var isAnyInWork: Bool?
  /// The error because of which it is not known which episodes are in work.
  private var failureOfClaims: Failure?

  /// Opens the library of the context's home in its current state.
  ///
  /// - Throws: `bad-setting` if no setting names the home, `store-lost`, and the errors of the
  ///   store.
  package convenience init(in context: CommandContext) throws {
    let store = try context.openStore(checkingForLoss: true)
    try self.init(try store.snapshot(), of: store, in: context)
  }

  /// Creates a view of a snapshot, with the settings and the parental control of a context.
  ///
  /// - Parameter store: the store of the snapshot, for rows that arrive later; nil to never update
  ///   the snapshot.
  /// - Throws: `bad-setting`.
  package convenience init(
    _ snapshot: StoreSnapshot, of store: LibraryStore? = nil, in context: CommandContext
  ) throws(Failure) {
    self.init(snapshot, try context.dueRule(), of: store, showing: context.parental)
  }

  /// Creates a view of a snapshot.
  ///
  /// - Parameters:
  ///   - due: the rule that decides which episodes are due, with the time for which rows are valid.
  ///   - parental: the guard that decides which episodes rows may name; nil for all.
  package init(
    _ snapshot: StoreSnapshot, _ due: DueRule, of store: LibraryStore? = nil,
    showing parental: ParentalGuard? = nil
  ) {
    self.snapshot = snapshot
    self.due = due
    self.store = store
    self.parental = parental
  }

  /// Adds the queue rank to later rows, which takes a pass over the library.
  package func addRanks() {
    if ranks == nil { ranks = QueueRanks(snapshot, due) }
  }

  /// Adds the images of episodes to later rows, without network requests.
  ///
  /// - Parameter cache: the catalogue's cache; nil if the environment names none.
  package func findImages(in cache: ImageCache?) {
    findsImages = true
    images = cache
  }

  /// Warns that the store is damaged, if a read so far has found damage: records may be missing
  /// from the result, or be older versions. Warns too if it is unknown which episodes are in work.
  ///
  /// - Parameter asRow: whether to add a row with the warning to JSON output.
  /// - Throws: `output-failed`.
  package func warnOfDamage(in context: CommandContext, asRow: Bool = false) throws(OutputError) {
    if let failureOfClaims { context.messages.warn(failureOfClaims) }
    guard let code = snapshot.damageMet else { return }
    let failure = Failure(
      code,
      code == .storeDamaged
        ? "the first line of the store is not a header, records may be missing"
        : "cannot read some lines of the store, records may be missing or outdated",
      hint: "run 'vmx doctor' for details, then 'vmx doctor --mend' to repair")
    context.messages.warn(failure)
    guard asRow, context.isJSON else { return }
    try context.write(FailureText.warning(failure, of: context.tool))
  }

  /// Prints the buffered rows and the warning about damage, and ends the command.
  ///
  /// - Throws: `CommandExit` unless the status is 0; `output-failed`.
  package func finish<Row: ListingRow>(
    _ reporter: RowReporter<Row>, in context: CommandContext
  ) throws {
    try reporter.end()
    try warnOfDamage(in: context, asRow: true)
    try reporter.finish(notes: [])
  }

  /// Returns the episode of an id from the command line, after resolving aliases.
  ///
  /// - Throws: `no-such-episode`, also if the text is not a valid id.
  package func episode(named text: String) throws -> Episode {
    if let id = EpisodeID(typed: text), let episode = try snapshot.episode(id) { return episode }
    throw Failure.noSuchEpisode(text)
  }

  /// Calls the closure with each selected episode until it returns false. The order is that of
  /// adding or of the queue, or that of the rows on standard input.
  ///
  /// An unknown id or an invalid line is reported at once; the remaining episodes follow.
  ///
  /// - Parameter prefix: only episodes whose ids begin with it.
  /// - Returns: the episodes that were named by operands, also if the filters do not match them.
  /// - Throws: the errors of the closure; `input-missing` if standard input cannot be read.
  @discardableResult
  package func forEach<Row: ListingRow>(
    in selection: InputSelection<EpisodeID>, _ filters: FilterOptions, prefix: String = "",
    asQueue: Bool = false, reporter: RowReporter<Row>, _ body: (Episode) throws -> Bool
  ) throws -> Set<EpisodeID> {
    var query = try filters.query(due)
    query.prefix = prefix
    let rowQuery = query
    if selection.source != .operands, !filters.includesRemoved { query.wants = Want.present }
    let parental = reporter.context.parental
    func show(_ episode: Episode) throws -> Bool {
      try parental.allows(episode) ? body(episode) : true
    }
    try forEachNamed(in: selection, reporter: reporter) { episode, row in
      reporter.count(.done)
      guard row.position == nil else {
        keepUnknownFields(of: row, episode.id)
        return rowQuery.matches(episode) ? try show(episode) : true
      }
      query.ids.insert(episode.id)
      return true
    }
    switch selection.source {
    case .rows: break
    case .operands where query.ids.isEmpty: break
    case .filters where asQueue:
      defer { current = nil }
      try snapshot.queue(of: due, matching: query) { rank, episode in
        current = (episode.id, rank)
        return try show(episode)
      }
    case .operands, .filters: try snapshot.episodes(matching: query, show)
    }
    return query.ids
  }

  /// Calls the closure with each episode that an operand or a row names until it returns false. A
  /// row is resolved in the store as of its arrival.
  ///
  /// - Throws: as `forEach`.
  package func forEachNamed<Row: ListingRow>(
    in selection: InputSelection<EpisodeID>, reporter: RowReporter<Row>,
    _ body: (Episode, InputRow) throws -> Bool
  ) throws {
    try selection.forEach(onArrival: catchUp) { entry in
      switch entry {
      case .passThrough(let object): try reporter.passThrough(object)
      case .invalid(let failure, let row):
        if let position = row.position, failure.code != .parental {
          reporter.reportInvalidLine(failure, at: position)
        } else {
          try reporter.reportFailed(guess(failure, row.text, in: reporter.context), row)
        }
      case .item(let id, let row):
        do {
          return try body(try episode(named: id.description), row)
        } catch let failure as Failure where failure.code == .noSuchEpisode {
          // Only what the user typed is worth a search for the name that was meant.
          try reporter.reportFailed(
            row.position == nil ? guess(failure, "\(id)", in: reporter.context) : failure, row)
        }
      }
      return true
    }
  }

  /// Adds suggestions to the failure of a typed word that is not an id. Adds none while parental
  /// control applies, since they could name hidden episodes.
  private func guess(
    _ failure: Failure, _ text: String?, in context: CommandContext
  ) -> Failure {
    guard failure.code == .noSuchEpisode, let text, !context.parental.applies else {
      return failure
    }
    return context.failure(ofID: text, in: snapshot)
  }

  private func catchUp() throws {
    guard let store else { return }
    let before = snapshot
    snapshot = try store.snapshot(after: before)
    if snapshot !== before { ageRatings = [:] }
    if ranks != nil, snapshot !== before { ranks = QueueRanks(snapshot, due) }
    isAnyInWork = nil
  }

  private func keepUnknownFields(of row: InputRow, _ id: EpisodeID) {
    let unknown = row.received.without(EpisodeJSON.known)
    received[id] = unknown.fields.isEmpty ? nil : unknown
  }

  /// Returns the fields of the last row of standard input for an episode that vmx does not know.
  package func unknownFields(of id: EpisodeID) -> JSONObject { received[id] ?? JSONObject() }

  /// Returns the row of an episode with the facts that its record does not contain: the folders of
  /// its roots, and the bytes received so far.
  package func row(of episode: Episode) -> EpisodeRow {
    EpisodeRow(episode, facts(of: episode))
  }

  /// Returns the facts about an episode that its record does not contain.
  ///
  /// - Parameter withPosition: whether to include the position at which playback resumes.
  package func facts(of episode: Episode, withPosition: Bool = false) -> EpisodeFacts {
    var facts = EpisodeFacts(due)
    if withPosition || findsPositions { facts.position = snapshot.playbackPosition(of: episode.id) }
    facts.rank = current?.id == episode.id ? current?.rank : ranks?.rank(of: episode.id)
    if episode.want == .fetch { facts.predecessor = snapshot.predecessor(among: episode.after) }
    facts.hidden = parental?.hidden(namedBy: episode, facts.predecessor) ?? []
    facts.showAgeRating = ageRating(ofShow: episode.id.show)
    for part in episode.parts {
      if let root = part.root, facts.folders[root] == nil {
        facts.folders[root] = folder(of: root)
      }
    }
    if findsImages { facts.imageFile = image(of: episode, facts) }
    let moving = episode.parts.first { ($0.resumeState ?? $0.state) == .partial }
    let isInWork = isInWork(episode)
    if moving != nil || isInWork,
      let progress = snapshot.record(.progress, episode.id.description)
    {
      if let part = progress.fields["part"]?.string ?? moving?.name {
        facts.completedBytes[part] = progress.fields["bytes"]?.integer
      }
      if isInWork { facts.work = StatusItem(progress, now: due.now) }
    }
    return facts
  }

  /// Returns the image file of the library, else the cached image of one of its URLs.
  private func image(of episode: Episode, _ facts: EpisodeFacts) -> String? {
    let parts = episode.parts.filter { $0.role == .image }
    if let own = parts.first(where: { $0.state == .ready }) { return facts.file(of: own) }
    do {
      for url in parts.lazy.flatMap(\.urls) {
        if let file = try images?.file(of: url) { return file.string }
      }
    } catch {
      // An unreadable cache counts as empty.
    }
    return nil
  }

  /// Whether a process currently works on an episode; false if the lock file cannot be read, which
  /// the command says at its end.
  private func isInWork(_ episode: Episode) -> Bool {
    // Usually no episode is claimed, which one system call determines.
    guard isAnyInWork != false, let claims = store?.claims else { return false }
    do {
      let isAny = try isAnyInWork ?? claims.isAnyInWork()
      isAnyInWork = isAny
      return try isAny && episode.want == .fetch && !episode.state.awaitsEvent
        && !claims.inWork(among: [episode.id]).isEmpty
    } catch {
      failureOfClaims = Failure(error)
      isAnyInWork = false
      return false
    }
  }

  private func ageRating(ofShow slug: String) -> String? {
    if let known = ageRatings[slug] { return known }
    let rating = snapshot.ageRating(ofShow: slug)?.text
    ageRatings[slug] = .some(rating)
    return rating
  }

  private func folder(of root: String) -> String? {
    if let folder = folders[root] { return folder }
    let folder = snapshot.rootFolder(root)
    folders[root] = folder
    return folder
  }
}

/// Creates output rows for episodes that a tool has just recorded, with the full paths of their
/// files.
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
    facts.hidden = context.parental.hidden(namedBy: episode)
    facts.showAgeRating = try store.snapshot().ageRating(ofShow: episode.id.show)?.text
    for root in Set(episode.parts.compactMap(\.root)) {
      facts.folders[root] = try folder(of: root)
    }
    return EpisodeRow(episode, facts)
  }

  /// Returns the folder of a root by its UUID; nil for an unknown root.
  ///
  /// - Throws: the errors of the store.
  package func folder(of root: String) throws(StoreError) -> String? {
    if let folder = folders.withLock({ $0[root] }) { return folder }
    let folder = try store.snapshot().rootFolder(root)
    folders.withLock { $0[root] = folder }
    return folder
  }
}

/// The positions of the due episodes in the queue: 1 for the one that a fetch starts first.
struct QueueRanks {
  private var ranks: [UInt64: Int] = [:]

  /// Ranks the episodes of a snapshot that are due by a rule.
  init(_ snapshot: StoreSnapshot, _ due: DueRule) {
    let keys = snapshot.queueKeys(of: due)
    ranks.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() { ranks[key] = index + 1 }
  }

  /// Returns the rank of an episode; nil if it is not due.
  func rank(of id: EpisodeID) -> Int? { ranks[StableHash.of(id.description)] }
}
