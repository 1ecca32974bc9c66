import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxSettings
import VmxStore

/// Changes the id of an episode, or joins two records of one; the old id becomes an alias.
@main
struct RenameCommand: Command, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "rename", usage: "vmx rename [<options>] <old> <new>",
    discussion: """
      The old id remains as an alias that every tool resolves. The files keep their names. If \
      <new> is the id of another episode, the two records become one.

      Examples:
        vmx rename girls/pilot girls/s01e01
        vmx rename --json girls/s01e01 girls-2012/s01e01
        vmx rename downloads/e1 girls/s01e01 --keep girls/s01e01
      """)

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Option(
    help: ArgumentHelp("Join records that differ; keep this file and id.", valueName: "id"))
  var keep: String?

  @Argument(help: "The current id, or an alias.")
  var old: String

  @Argument(help: "The new id.")
  var new: String

  func perform(in context: CommandContext) throws {
    let form: OutputForm<OutcomeField> = output.json ? .json(nil) : .columns([.id])
    let reporter = RowReporter<OutcomeRow>(form, in: context)
    guard let old = EpisodeID(typed: old) else {
      throw context.guessing(.noSuchEpisode(old), of: old)
    }
    let store = try context.openStore(lock)
    _ = try context.parental.checked(old)
    let new = try EpisodeID(new)
    let result: EpisodeResult
    do {
      result =
        try join(old, new, of: store, in: context) ?? Renaming(in: store).rename(old, to: new)
    } catch let failure as Failure {
      throw context.guessing(failure, of: old.description)
    }
    let row = try result.episode.map { try LibraryView(in: context).row(of: $0) }
    try reporter.report(result.result, of: result.id.description, episode: row)
    try reporter.finish()
  }

  /// Joins the episode with that of the new id; does nothing if the new id is no other episode.
  ///
  /// - Throws: `usage` if `--keep` names neither; `id-taken` if they may not be joined.
  private func join(
    _ old: EpisodeID, _ new: EpisodeID, of store: LibraryStore, in context: CommandContext
  ) throws -> EpisodeResult? {
    let snapshot = try store.snapshot()
    guard let first = try snapshot.resolve(old), let second = try snapshot.resolve(new),
      first != second
    else {
      guard keep == nil else {
        throw Failure(.usage, "--keep requires two episodes, and '\(new)' is none yet")
      }
      return nil
    }
    _ = try context.parental.checked(second)
    let kept = try keep.map { try snapshot.resolve(EpisodeID($0)) } ?? second
    guard let kept, [first, second].contains(kept) else {
      throw Failure(.usage, "--keep requires '\(first)' or '\(second)'")
    }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage)
    let joined = try RecordJoin(
      EpisodeRemover(tools, claimTimeout: lock.milliseconds(in: context))
    ).joinByHand(kept == first ? second : first, into: kept, isForced: keep != nil)
    guard let joined else { throw Failure.noSuchEpisode(kept) }
    return EpisodeResult(joined, store.isDryRun ? .planned : .done)
  }
}
