import ArgumentParser
import SystemPackage
import VmxArchive
import VmxBundling
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Packs episodes with subtitles, images, metadata and records into one bundle.
@main
struct ExportCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "export", usage: "vmx export [<options>] -o <file>|<folder>|- [<id>...]",
    discussion: """
      A bundle is a BagIt bag: 'sha256sum -c manifest-sha256.txt' verifies it anywhere. The bytes \
      are verified while they are copied, and a file gets its name only when it is complete. \
      Without ids and filters, rows are read from standard input if it is a pipe or a file.

      vmx export --show girls -o girls.tar
      vmx export --layout kodi --all -o /media/stick
      vmx export girls/s01e01 -o - | ssh tv vmx import -
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup var options: ExportOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var episodes: [String] = []

  func validate() throws { try options.validate() }

  func perform(in context: CommandContext) throws {
    let target = try options.target(in: context)
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context, tally: Tally(waitingFails: true))
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let display = context.byteDisplay(of: options.output, isOff: output.quiet || context.isJSON)
    let tools = LibraryTools(
      store, clock: context.clock, tool: context.stage,
      shouldStop: { interruption.isRequested })
    let task = ExportTask(
      options, to: target, by: BundleExporter(tools) { display.add($0, of: $1) }, of: store,
      until: interruption, in: context)
    let content = try options.content(in: context, until: interruption)
    let folder = try task.openFolder()
    let chosen = try ChosenEpisodes(
      try InputSelection(
        required: episodes, filters, from: store, ofShows: .withVideo, in: context), store,
      scratch: context.isJSON ? context.environment.scratch : nil)
    var ends: [BundleExporter.End]
    do {
      defer { display.close() }
      ends = try task.write(chosen, content, over: folder)
    } catch  where error.isInterruption {
      return try reporter.finish(interruptedBy: interruption)
    }
    // A stream bundle is written to standard output, so rows are not.
    var rows: EpisodeRows? = EpisodeRows(of: store, in: context)
    if case .stream = target { rows = nil }
    try chosen.report(ends, to: reporter, rows: rows, isUpdate: folder != nil, in: context)
    try reporter.finish(interruptedBy: interruption)
  }
}
