import SystemPackage
import VmxCommand
import VmxMigrating
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

extension MigrateCommand {
  /// Rebuilds the store, or rewrites a store of an older format.
  func rebuild(
    _ reporter: RowReporter<MigrationRow>, _ interruption: Interruption, isPlan: Bool,
    in context: CommandContext
  ) throws {
    var storeOptions = StoreOptions()
    storeOptions.lockTimeout = try library.lock.milliseconds(in: context)
    storeOptions.allowsNetwork = try context.settings.bool(.networkStore)
    let home = LibraryHome(try context.home())
    func report(_ step: MigrationStep, _ result: OperationResult) throws {
      let result = isPlan && result == .done ? .planned : result
      try reporter.report(result, MigrationRow(step, result), of: step.path, flushing: false)
    }
    do {
      let kept: [FilePath]
      if options.rebuild {
        let folders = paths.map { context.environment.absolute(argument: $0) }
        let rebuild = try LibraryRebuild(
          of: home, in: folders + [try library.rootFolder(in: context)], options: storeOptions,
          clock: context.clock, digest: digest(until: interruption),
          shouldStop: { interruption.isRequested })
        kept = try rebuild.perform(isPlan: isPlan, report: report)
        for loss in rebuild.losses { context.messages.note(loss) }
      } else {
        kept = try StoreUpgrade.perform(
          on: home, options: storeOptions, clock: context.clock, isPlan: isPlan, report: report)
      }
      for file in kept { context.messages.note("kept the old file as '\(file)'") }
    } catch  where error.isInterruption {
      context.messages.note("interrupted; the store was not changed")
    }
    try reporter.finish(interruptedBy: interruption)
  }
}
