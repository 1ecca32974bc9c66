import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxSystem

/// Prints the running transfers of all fetchers, and the totals of the library.
@main
struct StatusCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "status", usage: "vmx status [<options>] [<id>]...",
    discussion: """
      With ids, prints only these; with '-', reads rows from standard input. Prints a table and \
      totals on a terminal; else tab-separated lines: first the running transfers, then the \
      totals, whose names have no slash.

      Examples:
        vmx status
        vmx status --live
        vmx status --disk
        vmx status --json | jq 'select(.event == "totals") | .queued'
        vmx status --json --follow | jq 'select(.event == "state")'
        vmx list --due --json | vmx status --json -
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: TableOption

  @Flag(help: "Redraw the table in place on each change; q ends it.")
  var live = false

  @Flag(help: "Keep printing a line for each event; requires --json.")
  var follow = false

  @Flag(help: "Print only the disk usage and free space of the media folders.")
  var disk = false

  @Argument(help: "Only these ids or shows; '-' reads rows from standard input.")
  var ids: [String] = []

  func validate() throws {
    if disk && (live || follow) {
      throw ValidationError("--disk and \(live ? "--live" : "--follow") exclude each other")
    }
    if follow || live || disk, !ids.isEmpty {
      throw ValidationError("--follow, --live and --disk exclude ids")
    }
    if follow && !output.json { throw ValidationError("--follow requires --json") }
    if follow && form.fields != nil {
      throw ValidationError("--follow and --fields exclude each other")
    }
    guard live else { return }
    let others = [
      "--json": output.json, "--fields": form.fields != nil, "--format": form.format != nil,
      "--null": form.null,
    ]
    if let other = others.filter(\.value).keys.min() {
      throw ValidationError("--live and \(other) exclude each other")
    }
  }

  func perform(in context: CommandContext) throws {
    if disk { return try printDisks(in: context) }
    let form: OutputForm<StatusField> = try form.form(output, isTable: screen.table)
    if live && !(context.terminal.isTerminal && context.terminal.obeysEscapes) {
      throw Failure(
        .usage, "--live requires a terminal on standard output",
        hint: "run 'vmx status --json --follow' for output to a pipe")
    }
    let selection = InputSelection<EpisodeID>(
      ids, isTyped: live || follow, .onRequest, in: context
    ) { row throws(Failure) in try context.parental.checked(try row.episodeID()) }
    .expanding { try context.episodes(ofShow: $0, .present) }
    guard selection.source == .filters else { return try print(selection, form, in: context) }
    let status = try LibraryStatus(
      of: try context.openStore(checkingForLoss: true), clock: context.clock, zone: SystemZone(),
      showing: context.parental, following: live || follow)
    if live { return try LiveTable(status, in: context).run() }
    try status.report().print(
      form, withTotals: printsTotals, to: context.output, context.terminal)
    try LibraryView(status.snapshot, in: context).warnOfDamage(in: context)
    if follow { try stream(status, in: context) }
  }

  private func printDisks(in context: CommandContext) throws {
    let reporter = RowReporter<DiskRow>(try form.form(output, isTable: screen.table), in: context)
    let view = try LibraryView(in: context)
    let quota = try context.settings.size(.libraryQuota)
    let reserve = try context.settings.size(.libraryReserve)
    for usage in try RootUsage.all(in: view.snapshot) {
      var row = DiskRow(id: usage.uuid, path: usage.path)
      row.used = usage.used
      row.quota = quota.bytes == 0 ? nil : quota.bytes
      row.reserve = reserve.bytes
      row.free = usage.disk?.free
      row.trash = usage.disk?.trash
      row.unfinished = usage.disk?.unfinished
      try reporter.print(row, flushing: false)
    }
    try view.finish(reporter, in: context)
  }

  /// Prints the running transfers of the given episodes, without totals.
  private func print(
    _ selection: InputSelection<EpisodeID>, _ form: OutputForm<StatusField>,
    in context: CommandContext
  ) throws {
    let reporter = RowReporter<StatusRow>(form, in: context)
    let view = try LibraryView(in: context)
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      if let work = view.facts(of: episode).work {
        reporter.count(.done)
        try reporter.print(
          StatusRow(work, now: context.clock.now), received: row.received)
      } else {
        try reporter.reportUnchanged(.notInWork, row)
      }
      return true
    }
    try view.finish(reporter, in: context)
  }

  /// Whether the totals are printed with the given options.
  private var printsTotals: Bool { form.fields == nil && form.format == nil && !form.null }

  private func stream(_ status: LibraryStatus, in context: CommandContext) throws {
    let loop = try PollLoop(in: context)
    while true {
      try loop.pause()
      for event in try status.poll() {
        try context.write(event.record)
      }
    }
  }
}
