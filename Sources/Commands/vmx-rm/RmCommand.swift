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

/// Removes episodes: their files into the trash, their records to stubs.
@main
struct RmCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "rm", usage: "vmx rm [<options>] <id>...",
    discussion: """
      'vmx undo' takes it back as long as the files are in the trash. A fetcher that has the \
      episode in work stops first. Without ids and filters, rows are read from standard input if it \
      is a pipe or a file, and nothing is removed if one of them is bad.

      vmx rm girls/s01e02
      vmx list --watched --json | jq -c 'select(.size > 1e9)' | vmx rm --json
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var filters: FilterOptions

  @Flag(help: "Delete the files at once; nothing takes that back.")
  var permanent = false

  @Flag(help: "Remove the record too, so that a feed may bring it again.")
  var forget = false

  @Flag(name: [.customShort("n"), .long], help: "Tell what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Do not ask before what cannot be taken back.")
  var yes = false

  @Argument(help: "The episodes.")
  var episodes: [String] = []

  func perform(in context: CommandContext) throws {
    let reporter = OutcomeReporter(try form.form(output), in: context)
    let given = try GivenEpisodes(episodes, filters, in: context)
    let store = try context.openStore(lock)
    let items = try given.all(in: store)
    if permanent, !dryRun, !items.isEmpty {
      try Confirmation(in: context, yes: yes).ask("delete the files for good")
    }
    let removal = EpisodeRemover(
      store: store, mediaRoots: MediaRoots(store: store, newFilesBelow: store.home.defaultRoot),
      clock: context.clock, run: Operation(tool: context.stage, at: context.clock.now),
      patience: try lock.milliseconds(in: context),
      digest: { try withFile($0) { try FileDigest.of($0).whole } })
    let order = RemovalOrder(
      want: .gone, reason: "removed by hand", isPermanent: permanent, forgets: forget)
    let work = RemovalWork(
      order: order, isDryRun: dryRun, remover: removal, reporter: reporter,
      rows: EpisodeRows(of: store, in: context))
    try work.perform(on: items)
    if dryRun { context.messages.note("nothing was removed: this was a rehearsal") }
    try reporter.conclude()
  }
}
