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

  @Flag(help: "Follow the feeds of the named shows no longer.")
  var forgetFeed = false

  @OptionGroup var dryRunOption: DryRunOption

  @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
  var yes = false

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var episodes: [String] = []

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context)
    let store = try context.openStore(lock)
    let shows = try namedShows(in: store.snapshot(), context)
    if forgetFeed, shows.isEmpty {
      throw Failure(.usage, "--forget-feed requires a show, as an operand or by --show alone")
    }
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
    let feeds = try isDryRun ? [] : notesOfFeeds(of: shows, in: store)
    // A script needs no reminder, and 'undo' of a run that moved nothing would undo another one.
    let isUndoable =
      try !isDryRun && context.messages.terminal.isTerminal
      && store.snapshot().canUndo(tools.run)
    try reporter.finish(
      notes: [reporter.tally.text] + feeds + (isUndoable ? ["'vmx undo' takes this back"] : []))
  }

  /// Returns the slugs of the shows that are removed as a whole.
  private func namedShows(
    in snapshot: StoreSnapshot, _ context: CommandContext
  ) throws -> [String] {
    if filters.isShowAlone, episodes.isEmpty {
      return try filters.show.flatMap { try snapshot.slugs(ofShow: $0) }
    }
    return filters.isEmpty ? try context.separatingShows(in: episodes).shows : []
  }

  /// Removes the feeds of shows if the user requests it, and returns a note for each that says what
  /// stays.
  private func notesOfFeeds(of shows: [String], in store: LibraryStore) throws -> [String] {
    let snapshot = try store.snapshot()
    var notes: [String] = []
    for (slug, feed) in shows.flatMap({ slug in feeds(of: slug, in: snapshot).map { (slug, $0) } })
    {
      guard forgetFeed else {
        notes.append(
          "the show '\(slug)' stays, and the feed '\(feed.id)' adds its new episodes: "
            + "'vmx feed remove \(feed.id)' ends that")
        continue
      }
      try store.update(.durable) { $0.delete(.feed, feed.id) }
      notes.append(
        "the show '\(slug)' stays, and the feed '\(feed.id)' is followed no longer: "
          + "'vmx feed add \(ShellWord.quoted(URLRedaction.redacted(feed.url)))' follows it again")
    }
    return notes
  }

  /// Returns the feeds of a show.
  private func feeds(of slug: String, in snapshot: StoreSnapshot) -> [Subscription] {
    let show = snapshot.readableShow(slug) ?? LibraryShow(slug: slug, title: nil)
    var feeds: [Subscription] = []
    snapshot.records(of: .feed) { record in
      do throws(Failure) {
        let feed = try Subscription(id: record.id, record: record.fields)
        if feed.belongs(to: show) { feeds.append(feed) }
      } catch {
        // `vmx feed list` and `vmx doctor` report a feed that cannot be decoded.
      }
      return true
    }
    return feeds
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
