import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Lists the copies of episodes in the library and in known bundles.
@main
struct WhereisCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "whereis", usage: "vmx whereis [<options>] <id>...",
    discussion: """
      A bundle is known if this library wrote, imported or verified it. Disks are not searched; a \
      bundle on an unmounted disk is unreachable, not lost. Without ids, rows are read from \
      standard input if it is a pipe or a file.

      vmx whereis girls/s01e01
      vmx list --watched --json | vmx whereis --json | jq -r 'select(.presence == "reachable").place'
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Option(help: ArgumentHelp("Forget the bundle at this path.", valueName: "file"))
  var forget: [String] = []

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var episodes: [String] = []

  func validate() throws {
    guard forget.isEmpty || episodes.isEmpty else {
      throw ValidationError("--forget excludes ids of episodes")
    }
  }

  func perform(in context: CommandContext) throws {
    guard forget.isEmpty else { return try forgetBundles(in: context) }
    let selection = try InputSelection(required: episodes, in: context)
    let reporter = RowReporter<CopyRow>(try form.form(output), in: context)
    let view = try LibraryView(in: context)
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      let copies = try view.snapshot.episodeCopies(of: episode)
      for copy in copies {
        try reporter.print(
          CopyRow(
            episode.id, copy, copies: copies.count, now: context.clock.now,
            received: row.received),
          flushing: false)
      }
      if copies.isEmpty, row.position != nil {
        try reporter.reportUnchanged(.noFile, row)
        return true
      }
      if copies.isEmpty { context.messages.note("'\(episode.id)' has no known copy") }
      reporter.count(.done)
      return true
    }
    try view.finish(reporter, in: context)
  }

  /// Deletes the records of the bundles at the given paths.
  private func forgetBundles(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      context.isJSON ? .json(nil) : .columns([.id, .outcome]), in: context)
    let store = try context.openStore(lock)
    for name in forget {
      let path = context.environment.absolute(argument: name)
      let paths = [path, realPath(of: path) ?? path, path.lexicallyNormalized()]
      let isKnown = try Set(paths).map { try store.deleteCopyRecords(at: $0) }.contains(true)
      try reporter.report(
        isKnown ? .done : .failed(Failure(.inputMissing, "no bundle is known at '\(path)'")),
        of: path.string)
    }
    try reporter.finish()
  }
}
