import Synchronization
import VmxCommand
import VmxDesktop
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Reports the results of a fetch: as rows, to the hooks, and as notes.
struct FetchReport: ~Copyable, Sendable {
  private let rows: EpisodeRows
  private let mediaRoots: MediaRoots
  private let added: AddedEpisodes
  private let hooks: Hooks
  private let reporter: RowReporter<OutcomeRow>
  private let context: CommandContext
  private let files = Mutex(NewFiles())
  /// The shows of the episodes that were fetched.
  private let fetched = Mutex<Set<String>>([])
  private let startedAt = Deadline.nowMilliseconds

  init(
    of store: LibraryStore, _ mediaRoots: MediaRoots, _ added: AddedEpisodes, hooks: Hooks,
    to reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) {
    rows = EpisodeRows(of: store, in: context)
    self.mediaRoots = mediaRoots
    self.added = added
    self.hooks = hooks
    self.reporter = reporter
    self.context = context
  }

  /// Reports the result of an episode.
  ///
  /// - Throws: errors of the store and of the output.
  func report(_ result: EpisodeResult, of item: WorkItem) throws {
    let episode = try result.episode.map(rows.row)
    let (outcome, note) = try added.result(of: result, in: mediaRoots)
    let row = try reporter.report(
      outcome, of: result.id.description, episode: episode, received: item.row ?? JSONObject())
    let path = episode?.exact(.path) ?? ""
    hooks.enqueue(
      result.result, of: result.id, record: row.record(nil).line(escaping: false), path: path)
    guard context.parental.allows(result.id) else { return }
    if result.result == .done { _ = fetched.withLock { $0.insert(result.id.show) } }
    if result.result == .done { files.withLock { $0.add(path, bytes: episode?.bytes) } }
    for note in result.notes + [note].compactMap(\.self) { context.messages.note(note) }
  }

  /// The shows of the episodes that were fetched.
  var shows: Set<String> { fetched.withLock { $0 } }

  /// Ends the run: a terminal gets a sentence about the new files and the other results, anything
  /// else the folder of the new files and the tally.
  ///
  /// - Throws: as `RowReporter.finish`.
  func finish(interruptedBy interruption: Interruption) throws {
    try reporter.end()
    let files = files.withLock { $0 }
    var sentence: String?
    if !reporter.isJSON, context.messages.terminal.isTerminal, !interruption.isRequested {
      sentence = files.sentence(
        of: reporter.tally, duration: Deadline.nowMilliseconds - startedAt)
    } else if !reporter.isJSON, let note = files.note {
      context.messages.note(note)
    }
    try reporter.finish(interruptedBy: interruption, as: sentence)
  }
}

extension Hooks {
  /// The hooks of the settings, which report to the user.
  ///
  /// - Throws: `bad-setting`.
  convenience init(in context: CommandContext, until interruption: Interruption) throws {
    try self.init(
      try HookCommands(context.settings), variables: context.environment.variables,
      interruption: interruption, report: { context.messages.report($0, id: $1) },
      note: { context.messages.note($0) })
  }
}
