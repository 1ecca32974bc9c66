import ArgumentParser
import VmxBrowsing
import VmxCommand
import VmxDigest
import VmxEngine
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
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
    name: .shortAndLong,
    help: ArgumentHelp("Transfers at once, 1 to 64.", valueName: "n"))
  var jobs: String?

  @Option(
    name: [.customShort("x"), .long],
    help: ArgumentHelp("Connections for one part where they pay, 1 to 16.", valueName: "n"))
  var connections: String?

  @Option(
    help: ArgumentHelp("Show progress: auto, json or none, on standard error.", valueName: "how"))
  var progress: ProgressMode = .auto

  @Flag(
    inversion: .prefixedNo,
    help: "Look for a digest beside each video's URL: its .sha256, or SHA256SUMS.")
  var checksums: Bool?

  @Flag(help: "Sit through the waits that servers and policies ask for, up to a day each.")
  var wait = false

  @Flag(inversion: .prefixedNo, help: "Tell the desktop how the run ended.")
  var notify: Bool?

  @Argument(help: "Episodes, or URLs to add and fetch.")
  var episodes: [String] = []

  var pathArguments: [String] { repairs.from.map { [$0] } ?? [] }

  func perform(in context: CommandContext) throws {
    for option in limits.makeGentle() {
      context.messages.note("the system does not allow '\(option)'; the fetch goes on without")
    }
    let reporter = OutcomeReporter(try form.form(output), in: context)
    let settings = try settings(in: context)
    let interruption = try Interruption.install()
    ignoreBrokenPipes()
    let hooks = try Hooks(
      try HookCommands(context.settings), in: context, interruption: interruption)
    defer { hooks.finish() }
    let isNotified = try notify ?? context.settings.bool(.fetchNotify)
    let store = try context.openStore(library.lock, until: interruption)
    let display = FetchDisplay(progress, in: context)
    defer { display.close() }
    let mediaRoots = MediaRoots(store: store, newFilesBelow: try library.rootFolder(in: context))
    let removal = EpisodeRemover(
      store: store, mediaRoots: mediaRoots,
      clock: context.clock, run: Operation(tool: context.stage, at: context.clock.now), patience: 0,
      digest: { try withFile($0) { try FileDigest.of($0).whole } })
    let run = try FetchRun(
      store: store, mediaRoots: mediaRoots, settings: settings,
      environment: FetchEnvironment(
        clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
        interruption: interruption),
      settle: removal.settle, listener: display.show)
    let selection = FetchSelection(
      operands: episodes, filters: filters, order: settings.order, missing: parts.missing,
      waits: wait, store: store, due: run.due, context: context, reporter: reporter)
    let rows = EpisodeRows(of: store, in: context)
    try run.perform(over: selection.feed) { item, outcome in
      selection.ended(item, outcome)
      try reporter.report(outcome, of: item, rows: rows, hooks: hooks)
      for line in outcome.notes { context.messages.note(line) }
    }
    display.close()
    if isNotified, !interruption.isRequested, reporter.tally.isNews {
      DesktopNotice(context.environment).show("vmx fetch", reporter.tally.text)
    }
    hooks.finish()
    try selection.conclude()
    try reporter.conclude(interruptedBy: interruption)
  }

  private func settings(in context: CommandContext) throws -> FetchSettings {
    var settings = context.settings
    if let jobs { settings.set(.fetchJobs, to: jobs, option: "--jobs") }
    limits.add(to: &settings)
    if let connections {
      settings.set(.fetchConnections, to: connections, option: "--connections")
    }
    if let checksums { settings.set(.checksums, to: "\(checksums)", option: "--checksums") }
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

extension ProgressMode: ExpressibleByArgument {}
