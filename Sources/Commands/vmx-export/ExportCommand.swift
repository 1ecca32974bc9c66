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

  @Argument(help: "Ids of episodes.")
  var episodes: [String] = []

  func validate() throws { try options.validate() }

  func perform(in context: CommandContext) throws {
    let target = try options.target(in: context)
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context, tally: Tally(waitingFails: true))
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let content = try options.content(in: context, until: interruption)
    var folder = try openFolder(of: target, store, until: interruption, in: context)
    let chosen = try ChosenEpisodes(
      try InputSelection(required: episodes, filters, from: store, in: context), store,
      scratch: context.isJSON ? context.environment.scratch : nil)
    let messages = context.messages
    let display = ByteDisplay(
      of: options.output, isOff: output.quiet || context.isJSON, on: messages.sink,
      terminal: { messages.terminal })
    messages.share(
      with: Messages.LiveView(suspend: display.suspend, resume: display.resume))
    let tools = LibraryTools(
      store, clock: context.clock, tool: context.stage,
      shouldStop: { interruption.isRequested })
    let exporter = BundleExporter(tools) { display.add($0, of: $1) }
    try exporter.check(target)
    var written: [BundleExporter.Written]
    do {
      let scratch = context.environment.scratch
      let pictures = context.imageCache.map { BundlePictures($0, scratch: scratch) }
      var info = BundleInfo(epoch: context.environment["SOURCE_DATE_EPOCH"])
      info.bases = options.bases
      folder = try folder.map { try exporter.completed($0, info, scratch: scratch) }
      let plan = try chosen.plan(
        content, pictures, in: folder?.content(deleting: options.deletion(in: context)) ?? .none
      ) { interruption.isRequested }
      written = [BundleExporter.Written(nil, BundleExporter.End(plan))]
      if !isDryRun, !plan.isEmpty {
        if case .folder(let path) = target, let folder {
          let deletion = options.deletion(in: context)
          let end = try exporter.update(plan, info, in: folder, deleting: deletion)
          written = [BundleExporter.Written(path, end)]
        } else {
          written = try write(
            plan, info: info, to: target, with: exporter, until: interruption, in: context)
        }
        try store.recordCopies(written, type: target.type, verified: context.clock.now)
      }
    } catch  where error.isInterruption {
      display.close()
      return try reporter.finish(interruptedBy: interruption)
    }
    display.close()
    // A stream bundle is written to standard output, so rows are not.
    var rows: EpisodeRows? = EpisodeRows(of: store, in: context)
    if case .stream = target { rows = nil }
    try chosen.report(
      written.map(\.end), to: reporter, rows: rows, isUpdate: folder != nil, in: context)
    try reporter.finish(interruptedBy: interruption)
  }

  /// Opens the folder to update; nil for another target.
  private func openFolder(
    of target: BundleTarget, _ store: LibraryStore, until interruption: Interruption,
    in context: CommandContext
  ) throws -> ExportedFolder? {
    guard case .folder(let path) = target else { return nil }
    let snapshot = try store.snapshot()
    let wait = isDryRun ? nil : store.lockWait
    return try context.ending(by: interruption) {
      try ExportedFolder(
        at: path, wait: wait,
        readsAll: options.check || snapshot.hasFailedVerification(of: realPath(of: path) ?? path)
      ) { try snapshot.resolve($0) }
    }
  }

  /// Writes the bundle to standard output, to a file or to volumes.
  private func write(
    _ plan: BundlePlan, info: BundleInfo, to target: BundleTarget, with exporter: BundleExporter,
    until interruption: Interruption, in context: CommandContext
  ) throws -> [BundleExporter.Written] {
    let passphrase =
      options.encrypt
      ? try context.passphrase(
        descriptor: options.passphraseFd, isNew: true, until: interruption) : nil
    switch target {
    case .stream(let format):
      let form = BundleExporter.Form(format, info: info, passphrase: passphrase)
      return [.init(nil, try exporter.stream(plan, form, to: .standardOutput))]
    case .folder: fatalError("a folder is updated, not written")
    case .file(let file, let format):
      let form = BundleExporter.Form(format, info: info, passphrase: passphrase)
      guard let split = options.split else {
        return [.init(file, try exporter.write(plan, form, to: file, replacing: options.force))]
      }
      let limit = try SettingKind.size(split, of: "--split")
      return try exporter.write(plan, form, volumes: limit, to: file, replacing: options.force)
    }
  }
}
