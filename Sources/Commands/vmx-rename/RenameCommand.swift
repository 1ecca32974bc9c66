import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxSettings
import VmxStore

/// Changes the id of an episode or the slug and the title of a show, or joins two records of one
/// episode; old ids become aliases.
@main
struct RenameCommand: Command, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "rename", usage: "vmx rename [<options>] <old> [<new>]",
    discussion: """
      The old id remains as an alias that every tool resolves. The files keep their names until \
      'vmx clean --rename'. If <new> is the id of another episode, the two records become one. \
      <old> may also be a show, by slug or title: its episodes get the new slug.

      Examples:
        vmx rename girls/pilot girls/s01e01
        vmx rename --json girls/s01e01 girls-2012/s01e01
        vmx rename downloads/e1 girls/s01e01 --keep girls/s01e01
        vmx rename girls girls-2012 --title 'Girls (2012)'
        vmx rename 'Small Wonders' --title 'Tiny Wonders'
      """)

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Option(
    help: ArgumentHelp("Join records that differ; keep this file and id.", valueName: "id"))
  var keep: String?

  @Option(
    help: ArgumentHelp(
      "Give the show this title; '' takes back that of a person.", valueName: "title"))
  var title: String?

  @Argument(help: "The current id, or an alias; or a show.")
  var old: String

  @Argument(help: "The new id, or the new slug of the show.")
  var new: String?

  func perform(in context: CommandContext) throws {
    let form: OutputForm<OutcomeField> = output.json ? .json(nil) : .columns([.id])
    let reporter = RowReporter<OutcomeRow>(form, in: context)
    guard let old = EpisodeID(typed: old) else {
      guard let show = try context.separatingShows(in: [old]).shows.first else {
        throw context.guessing(.noSuchEpisode(old), of: old)
      }
      return try rename(show: show, reporter, in: context)
    }
    guard title == nil else {
      throw Failure(
        .usage, "--title requires a show",
        hint: #"for an episode: echo '{"id":"\#(old)","title":"TITLE"}' | vmx add"#
      )
    }
    let store = try context.openStore(lock)
    _ = try context.parental.checked(old)
    guard let typed = new else {
      throw Failure(.usage, "no new id given", hint: "run 'vmx help rename'")
    }
    let new = try EpisodeID(typed)
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

  /// Renames a show.
  private func rename(
    show slug: String, _ reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) throws {
    guard keep == nil else { throw Failure(.usage, "--keep requires two episodes") }
    guard new != nil || title != nil else {
      throw Failure(.usage, "neither a new slug nor --title given", hint: "run 'vmx help rename'")
    }
    let slugs = try new.map { text throws(Failure) in
      guard let slug = Slug(valid: text) else {
        let proposed = Slug(transliterating: text, fallback: text)
        throw Failure(
          .badID, "'\(text)' is no slug",
          hint: "run 'vmx rename \(slug) \(proposed) --title \(ShellWord.quoted(text))'")
      }
      return slug
    }
    let title = title.map(\.trimmed)
    let store = try context.openStore(lock)
    let renaming = ShowRenaming(
      store, Operation(tool: context.stage, at: context.clock.now),
      claimTimeout: try lock.milliseconds(in: context))
    let (show, isChanged) = try renaming.rename(slug, to: slugs, title: title)
    let result: OperationResult =
      store.isDryRun ? .planned : isChanged ? .done : .unchanged()
    try reporter.report(result, of: show.slug, episode: nil)
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
