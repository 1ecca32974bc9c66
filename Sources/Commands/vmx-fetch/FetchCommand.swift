import ArgumentParser
import VmxCommand
import VmxDesktop
import VmxDigest
import VmxEngine
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTerminal

/// Fetches wanted episodes until they are `ready`.
@main
struct FetchCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "fetch", usage: "vmx fetch [<options>] [<id>|<url>]...",
    discussion: """
      Without operands, rows are read from standard input where it is a pipe or a file; on a \
      terminal all that is due is fetched. An episode that is named is tried again whatever it \
      failed with. A URL is added first.

      vmx fetch our-films/s01e02
      vmx list --due --json | vmx fetch --json -j 6
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var filters: FilterOptions
  @OptionGroup var limits: LimitOptions
  @OptionGroup var parts: PartOptions
  @OptionGroup var repairs: RepairOptions

  @Option(
    help: ArgumentHelp("Show progress: auto, json or none, on standard error.", valueName: "how"))
  var progress: ProgressMode = .auto

  @Flag(help: "Sit through the waits that servers and policies ask for, up to a day each.")
  var wait = false

  @Flag(inversion: .prefixedNo, help: "Tell the desktop how the run ended.")
  var notify: Bool?

  @Argument(help: "Episodes, or URLs to add and fetch.")
  var episodes: [String] = []

  var pathArguments: [String] { repairs.from.map { [$0] } ?? [] }

  func perform(in context: CommandContext) throws {
    for option in limits.lowerPriority() {
      context.messages.note("the system does not allow '\(option)'; the fetch goes on without")
    }
    let reporter = RowReporter<OutcomeRow>(try form.form(output), in: context)
    let settings = try settings(in: context)
    let interruption = try Interruption.install()
    ignoreBrokenPipes()
    let hooks = try Hooks(
      try HookCommands(context.settings), variables: context.environment.variables,
      interruption: interruption, report: { context.messages.report($0, id: $1) },
      note: { context.messages.note($0) })
    defer { hooks.finish() }
    let isNotified = try notify ?? context.settings.bool(.fetchNotify)
    let store = try context.openStore(library.lock, until: interruption, checkingForLoss: true)
    try filters.requireShows(in: store.snapshot())
    let display = FetchDisplay(progress, in: context)
    defer { display.close() }
    let mediaRoots = MediaRoots(store: store, newFilesBelow: try library.rootFolder(in: context))
    let removal = EpisodeRemover(
      store: store, mediaRoots: mediaRoots,
      clock: context.clock, run: Operation(tool: context.stage, at: context.clock.now), patience: 0,
      digest: { try withFile($0) { try FileDigest.of($0).whole } })
    var environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    if !limits.yes, !limits.noInput, !context.assumesYes, context.isInteractive {
      environment.questions = TerminalQuestions(store, interruption, in: context)
    }
    let run = try FetchRun(
      store: store, mediaRoots: mediaRoots, settings: settings, environment: environment,
      settle: removal.settle, listener: display.show)
    let queue = ReadyQueueFeed(
      store, matching: filters.query(run.due()), settings.order,
      asked: filters.failed || parts.missing || repairs.repair, waitsForOthers: wait, run.due)
    let input = FetchInput(
      episodes, isTyped: parts.missing || !filters.isEmpty, takesProofs: repairs.repair,
      importer: EpisodeBatchImporter(store: store, clock: context.clock), to: reporter, in: context)
    let rows = EpisodeRows(of: store, in: context)
    try run.perform(over: { input.feed($0, orAll: queue) }) { item, result in
      queue.ended(item.id, result)
      display.end(result.id)
      guard !result.wasInterrupted else { return }
      let episode = try result.episode.map(rows.row)
      let row = try reporter.report(
        result.result, of: result.id.description, episode: episode,
        received: item.row ?? JSONObject())
      hooks.follow(
        result.result, of: result.id, record: row.record(nil).line(escaping: false),
        path: episode?.exact(.path) ?? "")
      for note in result.notes { context.messages.note(note) }
    }
    display.close()
    if isNotified, !interruption.isRequested, reporter.tally.isNews {
      let program = context.environment.program("notify-send")
      DesktopNotice(context.environment.variables, program: program)
        .show("vmx fetch", reporter.tally.text)
    }
    hooks.finish()
    try input.conclude()
    try reporter.conclude(interruptedBy: interruption)
  }

  private func settings(in context: CommandContext) throws -> FetchSettings {
    var settings = context.settings
    limits.add(to: &settings)
    if let quality = parts.quality { settings.set(.fetchQuality, to: quality, option: "--quality") }
    var made = try FetchSettings(
      settings, home: context.environment["HOME"] ?? "/",
      environment: context.environment.variables, waits: wait,
      allowsMetered: limits.allowMetered, only: try parts.selection())
    made.order.repairsOnly = repairs.repair
    made.order.copy = try repairs.copy(for: episodes)
    return made
  }
}
