import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore
import VmxSystem

/// Removes episodes: moves their files to the trash, and reduces their records to stubs.
@main
struct RmCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "rm", usage: "vmx rm [<options>] <id>...",
    discussion: """
      'vmx undo' restores episodes while their files are in the trash. A running fetch of an \
      episode is stopped first. Without ids and filters, rows are read from standard input if it \
      is a pipe or a file; if a row is invalid, nothing is removed.

      vmx rm girls/s01e02
      vmx list --watched --json | jq -c 'select(.size > 1e9)' | vmx rm --json
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Flag(help: "Delete the files permanently; this cannot be undone.")
  var permanent = false

  @Flag(help: "Remove the record too, so that a feed can add it again.")
  var forget = false

  @OptionGroup var dryRunOption: DryRunOption

  @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
  var yes = false

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var episodes: [String] = []

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context)
    let store = try context.openStore(lock)
    let selection = try InputSelection(required: episodes, filters, from: store, in: context)
    let entries = try selection.allOrInvalid()
    try confirm(entries, in: context)
    let tools = LibraryTools(store, clock: context.clock, tool: context.stage)
    let remover = EpisodeRemover(
      tools, claimTimeout: try lock.milliseconds(in: context))
    let options = RemovalOptions(
      .byHand, "removed by the user", isPermanent: permanent, removesRecord: forget)
    let rows = EpisodeRows(of: store, in: context)
    for batch in entries.batches(of: EpisodeRemover.maxBatchSize) {
      try reporter.report(batch, rows) { try remover.remove($0, options) }
    }
    let feeds = try isDryRun ? [] : notesOfFeeds(in: store.snapshot())
    // A script needs no reminder, and 'undo' of a run that moved nothing would undo another one.
    let isUndoable =
      try !isDryRun && context.messages.terminal.isTerminal
      && store.snapshot().canUndo(tools.run)
    try reporter.finish(
      notes: [reporter.tally.text] + feeds + (isUndoable ? ["'vmx undo' takes this back"] : []))
  }

  /// Returns a note for each feed that still adds episodes to a show that was removed as a whole.
  private func notesOfFeeds(in snapshot: StoreSnapshot) throws -> [String] {
    guard filters.isShowAlone, episodes.isEmpty else { return [] }
    var notes: [String] = []
    for slug in try filters.show.flatMap({ try snapshot.slugs(ofShow: $0) }) {
      let show = snapshot.readableShow(slug) ?? LibraryShow(slug: slug, title: nil)
      snapshot.records(of: .feed) { record in
        do throws(Failure) {
          let feed = try Subscription(id: record.id, record: record.fields)
          guard feed.belongs(to: show) else { return true }
          notes.append(
            "the show '\(slug)' stays, and the feed '\(feed.id)' adds its new episodes: "
              + "'vmx feed remove \(feed.id)' ends that")
        } catch {
          // `vmx feed list` and `vmx doctor` report a feed that cannot be decoded.
        }
        return true
      }
    }
    return notes
  }

  /// Asks before a permanent deletion, and on a terminal before `--all` removes several shows.
  private func confirm(
    _ entries: [InputSelection<EpisodeID>.Entry], in context: CommandContext
  ) throws {
    guard !isDryRun, !entries.isEmpty else { return }
    if permanent { return try context.confirm("permanently delete the files", isGiven: yes) }
    guard filters.all, context.isInteractive else { return }
    var shows: Set<String> = []
    for case .item(let id, _) in entries { shows.insert(id.show) }
    guard shows.count > 1 else { return }
    try context.confirm(
      "remove \(entries.count) episodes of \(shows.count) shows", isGiven: yes)
  }
}
