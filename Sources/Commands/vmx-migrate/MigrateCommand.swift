import ArgumentParser
import SystemPackage
import VmxCommand
import VmxDigest
import VmxImporting
import VmxLibrary
import VmxMigrating
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Takes over what other programs have: videos, their metadata, and records of them.
@main
struct MigrateCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "migrate", usage: "vmx migrate [<options>] <path>...",
    discussion: """
      Without a method it prints a plan, a row for each file: which episode it is of, how that is \
      known, and what is doubtful. Sources are only read; only --move removes them, when the file \
      in the library is durable and verified. Nothing is taken twice.

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

  func validate() throws {
    guard !paths.isEmpty else { throw ValidationError("no path was given") }
    try options.validate()
  }

  func perform(in context: CommandContext) throws {
    let method = options.method
    let usual: OutputForm<MigrationField> = method == nil && !context.terminal.isTerminal
      ? .json(nil) : try form.form(output)
    let reporter = RowReporter<MigrationRow>(usual, in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let mediaRoots = MediaRoots(store: store, newFilesBelow: try library.rootFolder(in: context))
    let plan = MigrationPlan(store: store, clock: context.clock)
    let migrator = try method.map { method in
      Migrator(
        store: store, mediaRoots: mediaRoots, by: method,
        operations: try operations(store, mediaRoots, interruption, in: context),
        clock: context.clock, shouldStop: { interruption.isRequested })
    }
    for path in paths where !interruption.isRequested {
      do {
        let folder = try LegacyFolder(context.environment.absolute(argument: path))
        let kind = options.from ?? .guess(folder)
        guard let reader = kind.reader else {
          throw Failure(.usage, "'\(kind.rawValue)' is not read by this version")
        }
        let findings = try reader.findings(in: folder)
        func report(_ step: MigrationStep, _ result: OperationResult) throws {
          let row = MigrationRow(step, result)
          try reporter.report(result, row, of: step.path, flushing: false)
        }
        if let migrator {
          try migrator.take(findings, of: kind, report: report)
        } else {
          try plan.report(findings, of: kind, to: report)
        }
      } catch  where error.isInterruption {
        break
      } catch let failure as any CodedError where !(failure is OutputError) {
        let step = MigrationStep(options.from ?? .tree, path: path)
        let result = OperationResult(Failure(failure))
        try reporter.report(result, MigrationRow(step, result), of: path)
      }
    }
    if method == nil {
      context.messages.note("this is a plan: '--link', '--copy' or '--move' does it")
    }
    try reporter.conclude(interruptedBy: interruption)
  }

  private func operations(
    _ store: LibraryStore, _ mediaRoots: MediaRoots, _ interruption: Interruption,
    in context: CommandContext
  ) throws -> Migrator.Operations {
    let finisher = PartFinisher(
      mediaRoots: mediaRoots, publisher: FilePublisher(), clock: context.clock,
      nfo: NFOSource(isWanted: try context.settings.bool(.libraryNFO)) {
        DigestHasher.sha256(of: $0)
      },
      digest: { path in
        try withFile(path) { try FileDigest.of($0) { _ in interruption.isRequested }.whole }
      })
    let intake = PartIntake(store: store, finisher: finisher, clock: context.clock)
    return Migrator.Operations { files, id, root in
      try intake.take(
        files.map { PartIntake.File($0.path, part: $0.part, found: $0.found) }, of: id, root: root)
    }
  }
}
