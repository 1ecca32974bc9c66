import SystemPackage
import VmxCommand
import VmxLibrary
import VmxMigrating
import VmxModel
import VmxNaming
import VmxPresentation
import VmxStore
import VmxSystem

/// Migrates one input after another, or plans that, and reports each file.
struct InputMigration {
  let tools: LibraryTools
  let readers: LegacyTools
  let options: MigrateOptions
  let subscriptions: SubscriptionNotes
  let reporter: RowReporter<MigrationRow>
  let context: CommandContext

  /// Migrates the files of an input; a failure to read it is reported.
  ///
  /// - Throws: `output-failed`, `WorkEnded.interrupted`.
  func perform(on input: LegacyInput) throws {
    let kind = input.kind ?? .tree
    do {
      let (migrate, pictures) = try migration(of: input, as: kind)
      var numbers = CourseNumbers()
      try input.forEachBatch(readers) { found in
        let others = pictures.withheld(from: found)
        try migrate(options.number ? numbers.number(others) : others)
        try reporter.flush()
        subscriptions.print(found)
      }
      try pictures.finish(report)
      try reporter.flush()
    } catch let failure as any CodedError
      where !(failure is OutputError) && !failure.isInterruption
    {
      let step = MigrationStep(kind, path: input.path)
      let result = OperationResult(Failure(failure))
      try reporter.report(result, MigrationRow(step, result), of: input.path)
    }
  }

  /// Returns what migrates the findings of an input, or prints the plan if there is no method, and
  /// what adopts the pictures of their shows afterwards.
  private func migration(
    of input: LegacyInput, as kind: LegacyKind
  ) throws -> (migrate: ([LegacyFinding]) throws -> Void, pictures: ShowPictureAdoption) {
    let method = method(for: input)
    let ownRoot = method == .inPlace ? try input.mediaFolder(readers) : nil
    var tools = tools
    if let ownRoot { tools.mediaRoots = MediaRoots(store: tools.store, newFilesBelow: ownRoot) }
    for folder in input.paths {
      try tools.mediaRoots.checkIsOutside(folder, isRoot: ownRoot == folder)
    }
    let pictures = ShowPictureAdoption(tools, by: method, of: kind)
    func report(_ step: MigrationStep, _ result: OperationResult) throws {
      pictures.note(step)
      try self.report(step, result)
    }
    guard let method else {
      let plan = MigrationPlan(self.tools)
      return ({ try plan.report($0, of: kind, to: report) }, pictures)
    }
    let migrator = Migrator(tools, by: method, operations: Self.operations(by: tools))
    return ({ try migrator.migrate($0, of: kind, report: report) }, pictures)
  }

  /// Returns the method of the options; the sources of an input that was not read completely are
  /// linked and not removed.
  private func method(for input: LegacyInput) -> Migrator.Method? {
    guard options.method == .move, !input.isListed else { return options.method }
    context.messages.note(
      "the sources in '\(input.path)' are kept, since it was not read completely")
    return .link
  }

  private func report(_ step: MigrationStep, _ result: OperationResult) throws {
    try reporter.report(result, MigrationRow(step, result), of: step.path, flushing: false)
    for note in step.notes { context.messages.note(note) }
    guard !reporter.isJSON, step.episode == nil, case .unchanged(_, let hint?) = result
    else { return }
    context.messages.note("'\(step.path)' is unchanged: \(hint)")
  }

  private static func operations(by tools: LibraryTools) -> Migrator.Operations {
    let intake = StagedPartPublisher(
      store: tools.store, finisher: PartFinisher(tools), clock: tools.clock)
    // A tree that is imported in place gets no new files except in its '.vmx'.
    var silent = tools
    silent.nfo = .none
    let quiet = PartFinisher(silent)
    var operations = Migrator.Operations(
      publish: { files, id, root, claim in
        try intake.publish(files, of: id, root: root, under: claim)
      },
      writeSidecar: { episode, found in quiet.writeSidecar(episode, found: found) })
    if tools.nfo.isWanted {
      let sidecars = tools.sidecars
      operations.takeOverNFO = { try sidecars.takeOver($0, show: $1, for: $2) }
    }
    return operations
  }
}
