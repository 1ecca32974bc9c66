import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation
import VmxQueueing

/// Changes the id of an episode; the old id becomes an alias.
@main
struct RenameCommand: Command, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "rename", usage: "vmx rename [<options>] <old> <new>",
    discussion: """
      The old id remains as an alias that every tool resolves. The files keep their names.

      Examples:
        vmx rename girls/pilot girls/s01e01
        vmx rename --json girls/s01e01 girls-2012/s01e01
      """)

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @OptionGroup var dryRunOption: DryRunOption

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
    let renaming = Renaming(in: try context.openStore(lock))
    _ = try context.parental.checked(old)
    let new = try EpisodeID(new)
    let result: EpisodeResult
    do {
      result = try renaming.rename(old, to: new)
    } catch let failure as Failure {
      throw context.guessing(failure, of: old.description)
    }
    let row = try result.episode.map { try LibraryView(in: context).row(of: $0) }
    try reporter.report(result.result, of: result.id.description, episode: row)
    try reporter.finish()
  }
}
