import ArgumentParser
import Synchronization
import VmxCatalogue
import VmxCommand
import VmxDesktop
import VmxEngine
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Fetches wanted episodes until they are `ready`.
@main
struct FetchCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "fetch", usage: "vmx fetch [<options>] [<id>|<url>]...",
    discussion: """
      Without operands, fetches the rows of a pipe or file; else all due episodes.
      vmx fetch our-films/s01e02
      vmx list --due --json | vmx fetch --json -j 6
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup var transfers: TransferOptions
  @OptionGroup var parts: PartOptions
  @OptionGroup var repairs: RepairOptions
  @OptionGroup(title: "Advanced options") var limits: LimitOptions

  @Option(help: ArgumentHelp("Progress display.", valueName: "how"))
  var progress: ProgressMode?

  @OptionGroup var dryRunOption: DryRunOption

  @Flag(help: "Wait for servers and policies, up to a day each.")
  var wait = false

  @Flag(inversion: .prefixedNo, help: "Send a desktop notification at the end.")
  var notify: Bool?

  @Argument(help: "Ids to fetch or retry, shows, or URLs to add and fetch.")
  var episodes: [String] = []

  var pathArguments: [String] { repairs.from.map { [$0] } ?? [] }

  func perform(in context: CommandContext) throws {
    limits.lowerPriority(in: context)
    let reporter = RowReporter<OutcomeRow>(try form.form(output), in: context)
    let command = try selectingShows(in: context)
    if isDryRun { return try command.plan(reporter, in: context) }
    try command.fetch(reporter, in: context)
  }

  /// Returns the command with operands that name shows as `--show`.
  ///
  /// - Throws: `usage` if other operands are beside them.
  private func selectingShows(in context: CommandContext) throws -> FetchCommand {
    let (shows, others) = try context.separatingShows(in: episodes)
    guard !shows.isEmpty else { return self }
    guard others.isEmpty else {
      throw Failure(
        .usage, "shows and other operands exclude each other",
        hint: "run 'vmx fetch' once for the shows and once for the rest")
    }
    var command = self
    command.filters.show += shows
    command.episodes = []
    return command
  }

  private func fetch(
    _ reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) throws {
    let settings = try settings(in: context)
    let interruption = try Interruption.install()
    ignoreBrokenPipes()
    let hooks = try Hooks(in: context, until: interruption)
    defer { hooks.finish() }
    let isNotified = try notify ?? context.settings.bool(.fetchNotify)
    let tools = try openTools(until: interruption, in: context)
    let display = FetchDisplay(progress ?? (output.quiet ? .none : .auto), in: context)
    defer { display.close() }
    let removal = EpisodeRemover(tools)
    let environment = try environment(by: tools, until: interruption, in: context)
    let engine = ProcessEngine(tools.store, settings: settings, environment: environment)
    defer { engine.stop() }
    let calls = try BackgroundCalls(
      tools, remover: removal, environment: environment, engine: engine, in: context)
    defer { calls.finish() }
    let run = try FetchRun(
      engine: engine, tools: tools, settings: settings, environment: environment,
      applyRequests: removal.applyRequests, listener: display.show)
    let input = try input(of: tools.store, to: reporter, in: context)
    let takesAllDue = !isAsked && !input.namesEpisodes
    if takesAllDue { try calls.readLicences(beside: run) }
    let closed = try takesAllDue ? closedWindow(tools.store, in: context) : nil
    let report = FetchReport(
      of: tools.store, tools.mediaRoots, input.added, hooks: hooks, to: reporter, in: context)
    try fetch(input, by: run, of: tools.store, options: settings.options, on: display, to: report)
    display.close()
    if !interruption.isRequested {
      let service = DocumentService(
        store: tools.store, settings: settings, environment: environment, engine: engine)
      ShowPictures(
        tools, permits: context.parental.permits, isMetered: service.isMetered, send: service.send
      ) { [messages = context.messages] in messages.detail($0) }
      .update(Dictionary(uniqueKeysWithValues: report.shows.map { ($0, false) }))
    }
    for note in try input.added.forgetWrong(by: removal) { context.messages.note(note) }
    if isNotified, !interruption.isRequested { notify(reporter, in: context) }
    hooks.finish()
    calls.finish()
    try input.reportSubmitError()
    if let closed { reporter.countWaiting(closed.failure, times: closed.count) }
    if reporter.tally.isEmpty { try noteUnwanted(in: tools.store.snapshot(), context) }
    try report.finish(interruptedBy: interruption)
  }

  /// Whether the options request episodes that are not due.
  private var isAsked: Bool { filters.failed || parts.missing || repairs.repair }

  /// Opens the store, and takes over the removals that are newer beside the media.
  private func openTools(
    until interruption: Interruption, in context: CommandContext
  ) throws -> LibraryTools {
    let store = try context.openStore(library.lock, until: interruption, checkingForLoss: true)
    let newer = try NewerMedia(store, now: context.clock.now).takeOverRemovals()
    if !newer.isEmpty { context.messages.note(newer.text + ", and taken over") }
    try filters.checkQuotes(episodes, in: store.snapshot(), context)
    try filters.requireShows(in: store.snapshot(), context)
    return try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      newFilesBelow: try library.rootFolder(in: context),
      shouldStop: { interruption.isRequested })
  }

  private func input(
    of store: LibraryStore, to reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) throws -> FetchInput {
    try FetchInput(
      episodes, isTyped: parts.missing || !filters.isEmpty, takesProofs: repairs.repair,
      importer: EpisodeBatchImporter(store: store, clock: context.clock), to: reporter, in: context)
  }

  /// Fetches the episodes of the input, or those of the queue.
  private func fetch(
    _ input: FetchInput, by run: FetchRun, of store: LibraryStore, options: WorkOptions,
    on display: FetchDisplay, to report: borrowing FetchReport
  ) throws {
    let queue = ReadyQueueFeed(
      store, matching: try filters.query(run.due()), options: options, asked: isAsked,
      waitsForOthers: wait, due: run.due)
    let amount = { @Sendable (id: EpisodeID) throws in
      try store.snapshot().episode(id).flatMap {
        options.amount(of: $0, by: run.due(), asked: true)
      }
    }
    try run.perform(over: { input.submit($0, orAll: queue, on: display, amount: amount) }) {
      item, result in
      queue.ended(item.id, result)
      display.end(result.id, result.result)
      if !result.wasInterrupted { try report.report(result, of: item) }
    }
  }

  /// Notes the episodes of the named shows that nothing requests, if there was nothing to do.
  private func noteUnwanted(in snapshot: StoreSnapshot, _ context: CommandContext) throws {
    guard filters.show.count == 1, let show = filters.show.first, !isAsked else { return }
    var query = try filters.query(try context.dueRule())
    query.wants = [.none]
    var count = 0
    try snapshot.episodes(matching: query) { episode in
      if episode.state != .ready, context.parental.allows(episode) { count += 1 }
      return true
    }
    guard count > 0 else { return }
    context.messages.note(
      (count == 1 ? "1 episode is" : "\(count) episodes are") + " not wanted: 'vmx queue add "
        + "\(ShellWord.quoted(show))' requests " + (count == 1 ? "it" : "them"))
  }

  private func notify(_ reporter: RowReporter<OutcomeRow>, in context: CommandContext) {
    guard reporter.tally.shouldNotify else { return }
    let program = context.environment.program("notify-send")
    DesktopNotification(context.environment.variables, program: program)
      .show("vmx fetch", reporter.tally.text)
  }

  /// Returns what a run needs from outside: the terminal for its questions, and the trash for its
  /// space.
  private func environment(
    by tools: LibraryTools, until interruption: Interruption, in context: CommandContext
  ) throws -> FetchEnvironment {
    var environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    if !transfers.yes, !context.assumesYes, context.isInteractive {
      environment.questions = TerminalQuestions(tools, interruption, in: context)
    }
    if try context.settings.bool(.trashMakeRoom) {
      var cleaning = tools
      cleaning.run = Operation(tool: "clean", at: context.clock.now)
      let room = TrashRoom(
        cleaning,
        rules: TrashRules(
          keep: try context.settings.milliseconds(.trashKeep),
          quota: try context.settings.diskQuota(.trashQuota),
          reserve: try context.settings.size(.libraryReserve)),
        now: context.systemClock.now)
      environment.makeRoom = { try room.make($1, below: $0) }
    }
    return environment
  }

  /// Returns the refusal of the episodes that wait for `network.window` and that the run therefore
  /// does not begin, and their number; nil if the run may begin all.
  private func closedWindow(
    _ store: LibraryStore, in context: CommandContext
  ) throws -> (failure: Failure, count: Int)? {
    let (now, zone) = (context.clock.now, SystemZone())
    let window = try context.settings.window(.window)
    guard !wait, let opening = window.opening(after: now, in: zone) else { return nil }
    let closed = DueRule(now: now, window: window, zone: zone)
    var query = try filters.query(DueRule(now: now))
    query.due = DueRule(now: now)
    var count = 0
    try store.snapshot().episodes(matching: query) { episode in
      if !closed.isDue(episode), context.parental.allows(episode) { count += 1 }
      return true
    }
    return (Failure(.outsideWindow, "network.window is closed", retryAt: opening), count)
  }

  /// Prints what would be fetched.
  private func plan(_ reporter: RowReporter<OutcomeRow>, in context: CommandContext) throws {
    let settings = try settings(in: context)
    let store = try context.openStore(library.lock, checkingForLoss: true)
    try filters.checkQuotes(episodes, in: store.snapshot(), context)
    try filters.requireShows(in: store.snapshot(), context)
    let rule = try context.dueRule()
    let input = try input(of: store, to: reporter, in: context)
    let newer = try NewerMedia(store, now: context.clock.now).takeOverRemovals()
    if !newer.isEmpty { context.messages.note(newer.text) }
    let plan = FetchPlan(
      store: store, options: settings.options, rule: rule, query: try filters.query(rule),
      isRequested: isAsked, removed: newer.removed, reporter: reporter)
    try plan.perform(input, in: context)
    try reporter.finish()
  }

  private func settings(in context: CommandContext) throws -> FetchSettings {
    var settings = context.settings
    transfers.add(to: &settings)
    limits.add(to: &settings)
    if let quality = parts.quality { settings.set(.fetchQuality, to: quality, option: "--quality") }
    var made = try FetchSettings(
      settings, home: context.environment["HOME"] ?? "/",
      environment: context.environment.variables, waits: wait,
      allowsMetered: transfers.allowMetered, only: try parts.selection())
    made.options.repairsOnly = repairs.repair
    made.options.copy = try repairs.copy(for: episodes)
    return made
  }
}
