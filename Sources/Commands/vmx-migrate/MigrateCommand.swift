import ArgumentParser
import SystemPackage
import VmxCommand
import VmxDigest
import VmxLibrary
import VmxMigrating
import VmxModel
import VmxNaming
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Imports the videos of other programs, with their metadata and records.
@main
struct MigrateCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "migrate", usage: "vmx migrate [<options>] <path>...",
    discussion: """
      Without a method, prints a plan with a row for each file: its episode, the evidence for it, \
      and any doubts. Sources are only read; only --move removes them, once the file in the \
      library is durable and verified. No file is imported twice.

      vmx migrate ~/Videos
      vmx migrate --from tree --link /srv/media/tv
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var options: MigrateOptions

  @Argument(help: "Folders and files of other programs.", completion: .file())
  var paths: [String] = []

  var pathArguments: [String] { paths }
  var printsUnderQuiet: Bool { form.isSpecified || options.plan }

  func validate() throws {
    guard isRewrite || !paths.isEmpty else {
      throw ValidationError("no path given, such as in 'vmx migrate ~/Videos'")
    }
    try options.validate()
  }

  var dryRunOption: DryRunOption { options.dryRunOption }

  /// Whether only the store is written, and no source is imported.
  private var isRewrite: Bool { options.rebuild || options.from == .vmx }

  func perform(in context: CommandContext) throws {
    limitMemoryPools(to: 4)
    let isPlan = options.isPlan || options.method == nil && !isRewrite
    let usual: OutputForm<MigrationField> =
      isPlan && !context.terminal.isTerminal && !form.isSpecified
      ? .json(nil) : try form.form(output)
    let reporter = RowReporter<MigrationRow>(
      usual, in: context, tally: Tally(waitingFails: true))
    let interruption = try Interruption.install()
    if isRewrite { return try rebuild(reporter, interruption, isPlan: isPlan, in: context) }
    let store = try context.openStore(library.lock, until: interruption)
    let migration = InputMigration(
      tools: try LibraryTools(
        store, context.settings.files(), clock: context.clock, tool: context.stage,
        newFilesBelow: try library.rootFolder(in: context),
        shouldStop: { interruption.isRequested }),
      readers: try readers(reporter, in: context), options: options,
      subscriptions: try SubscriptionNotes(store, in: context), reporter: reporter, context: context
    )
    let inputs = LegacyInput.inputs(paths, of: options.from) {
      context.environment.absolute(argument: $0)
    }
    do {
      for input in inputs where !interruption.isRequested { try migration.perform(on: input) }
    } catch  where error.isInterruption {
      // The interruption is reported below, and by the exit status.
    }
    if !interruption.isRequested { noteUnmatched(migration.readers.sources.unmatched, in: context) }
    if options.method == nil, !isDryRun {
      context.messages.note("this is only a plan; add '--link', '--copy' or '--move' to import")
    }
    try reporter.finish(interruptedBy: interruption)
  }

  /// Returns what the readers of other programs need, with the addresses of partial files.
  private func readers(
    _ reporter: RowReporter<MigrationRow>, in context: CommandContext
  ) throws -> LegacyTools {
    let environment = context.environment
    var readers = LegacyTools(
      scratch: environment.scratch, program: { environment.program($0) })
    readers.takesAudio = try context.settings.choice(.feedMedia) != "video"
    readers.sources = try options.legacySources(in: context) { line, failure in
      reporter.reportInvalidLine(failure, at: line)
    }
    return readers
  }

  /// Prints a note about the paths of `--sources` for which there is no partial file.
  private func noteUnmatched(_ paths: [FilePath], in context: CommandContext) {
    guard let first = paths.first else { return }
    let count = paths.count == 1 ? "a path" : "\(paths.count) paths"
    context.messages.note("no partial file for \(count) of '--sources': '\(first)'")
  }

  func digest(until interruption: Interruption) -> @Sendable (FilePath) throws -> Digest {
    { path in
      try FileDigest.sha256(of: path) { interruption.isRequested }
    }
  }
}
