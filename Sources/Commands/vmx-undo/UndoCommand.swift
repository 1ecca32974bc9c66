import ArgumentParser
import VmxBrowsing
import VmxCommand
import VmxDigest
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore
import VmxSystem

/// Undoes the last operations of rm, clean and similar tools.
@main
struct UndoCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "undo", usage: "vmx undo [<options>] [<count>|<step>]...",
    discussion: """
      Without operands the last run that can be taken back is, all of it; a number takes back so \
      many, a step's name from --list only that. What has changed since is refused, row by row. \
      Rows are read from standard input if it is a pipe or a file.

      vmx undo
      vmx undo 2
      vmx undo --list
      vmx undo --list --json | jq -c 'select(.tool == "clean")' | vmx undo
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var lock: LockOptions

  @Flag(help: "List what can be taken back; of a run that is named, its rows.")
  var list = false

  @Flag(
    name: [.customShort("n"), .long], help: "Tell what would be taken back, and change nothing.")
  var dryRun = false

  @Argument(help: ArgumentHelp("How many runs, or the names of steps.", valueName: "step"))
  var steps: [String] = []

  func validate() throws {
    if list, dryRun { throw ValidationError("--list changes nothing; --dry-run goes without it") }
  }

  func perform(in context: CommandContext) throws {
    let store = try context.openStore(lock)
    let mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
    let removal = EpisodeRemover(
      store: store, mediaRoots: mediaRoots, clock: context.clock,
      run: Operation(tool: context.stage, at: context.clock.now),
      patience: try lock.milliseconds(in: context),
      digest: { try withFile($0) { try FileDigest.of($0).whole } })
    let undo = UndoService(store: store, mediaRoots: mediaRoots, removal: removal)
    if list {
      let steps = StepList(runs: try undo.runs(), now: context.clock.now)
      return try steps.print(try form.form(output), named: self.steps, in: context)
    }
    let reporter = OutcomeReporter(try form.form(output), in: context)
    let choice = try StepChoice(steps, in: context, reporter)
    let work = UndoWork(
      undo: undo, isDryRun: dryRun, reporter: reporter,
      rows: EpisodeRows(of: store, in: context))
    try work.perform(choice.rows(among: try undo.runs()))
    if !dryRun { try undo.removeLeftovers() }
    if dryRun { context.messages.note("nothing was changed: this was a rehearsal") }
    try reporter.conclude()
  }
}
