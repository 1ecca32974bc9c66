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
    guard options.rebuild || options.from == .vmx || !paths.isEmpty else {
      throw ValidationError("no path given")
    }
    try options.validate()
  }

  var dryRunOption: DryRunOption { options.dryRunOption }

  func perform(in context: CommandContext) throws {
    limitMemoryPools(to: 4)
    let method = options.method
    let isPlan =
      options.isPlan || method == nil && !options.rebuild && options.from != .vmx
    let usual: OutputForm<MigrationField> =
      isPlan && !context.terminal.isTerminal && !form.isSpecified
      ? .json(nil) : try form.form(output)
    let reporter = RowReporter<MigrationRow>(
      usual, in: context, tally: Tally(waitingFails: true))
    let interruption = try Interruption.install()
    if options.rebuild || options.from == .vmx {
      return try rebuild(reporter, interruption, isPlan: isPlan, in: context)
    }
    let store = try context.openStore(library.lock, until: interruption)
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      newFilesBelow: try library.rootFolder(in: context),
      shouldStop: { interruption.isRequested })
    let plan = MigrationPlan(tools)
    let environment = context.environment
    var readers = LegacyTools(
      scratch: environment.scratch, program: { environment.program($0) })
    readers.takesAudio = try context.settings.choice(.feedMedia) != "video"
    let subscriptions = try SubscriptionNotes(store, in: context)
    readers.sources = try options.legacySources(in: context) { place, failure in
      reporter.reportInvalidLine(failure, at: place)
    }
    let inputs = LegacyInput.inputs(paths, of: options.from) {
      context.environment.absolute(argument: $0)
    }
    for input in inputs where !interruption.isRequested {
      let kind = input.kind ?? .tree
      var method = method
      if method == .move, !input.isListed {
        method = .link
        context.messages.note(
          "the sources in '\(input.path)' are kept, since it was not read completely")
      }
      do {
        let own = method == .inPlace ? try input.mediaFolder(readers) : nil
        var tools = tools
        if let own { tools.mediaRoots = MediaRoots(store: store, newFilesBelow: own) }
        for folder in input.paths {
          try tools.mediaRoots.checkIsOutside(folder, isRoot: method == .inPlace && folder == own)
        }
        func report(_ step: MigrationStep, _ result: OperationResult) throws {
          let row = MigrationRow(step, result)
          try reporter.report(result, row, of: step.path, flushing: false)
          for note in step.notes { context.messages.note(note) }
          guard !reporter.isJSON, step.episode == nil, case .unchanged(_, let hint?) = result
          else { return }
          context.messages.note("'\(step.path)' is unchanged: \(hint)")
        }
        let migrator = method.map { method in
          Migrator(tools, by: method, operations: operations(by: tools))
        }
        var numbers = CourseNumbers()
        try input.forEachBatch(readers) { found in
          let findings = options.number ? numbers.number(found) : found
          if let migrator {
            try migrator.migrate(findings, of: kind, report: report)
          } else {
            try plan.report(findings, of: kind, to: report)
          }
          try reporter.flush()
          subscriptions.print(found)
        }
      } catch  where error.isInterruption {
        break
      } catch let failure as any CodedError where !(failure is OutputError) {
        let step = MigrationStep(kind, path: input.path)
        let result = OperationResult(Failure(failure))
        try reporter.report(result, MigrationRow(step, result), of: input.path)
      }
    }
    let unmatched = interruption.isRequested ? [] : readers.sources.unmatched
    if let first = unmatched.first {
      let count = unmatched.count == 1 ? "a path" : "\(unmatched.count) paths"
      context.messages.note(
        "no partial file for \(count) of '--sources': '\(first)'")
    }
    if method == nil, !isDryRun {
      context.messages.note("this is only a plan; add '--link', '--copy' or '--move' to import")
    }
    try reporter.finish(interruptedBy: interruption)
  }

  func digest(until interruption: Interruption) -> @Sendable (FilePath) throws -> Digest {
    { path in
      try FileDigest.sha256(of: path) { interruption.isRequested }
    }
  }

  private func operations(by tools: LibraryTools) -> Migrator.Operations {
    var marking = tools
    // A player reads the marks when a film first appears under its new name.
    marking.nfo.includesWatched = true
    let intake = StagedPartPublisher(
      store: tools.store, finisher: PartFinisher(marking), clock: tools.clock)
    // A tree that is imported in place gets no new files except in its '.vmx'.
    var silent = tools
    silent.nfo = .none
    let quiet = PartFinisher(silent)
    return Migrator.Operations(
      publish: { files, id, root, claim in
        try intake.publish(files, of: id, root: root, under: claim)
      },
      writeSidecar: { episode, found in quiet.writeSidecar(episode, found: found) })
  }
}
