import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints one episode in full: its parts, their history, and the reasons why they wait.
@main
struct ShowCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "show", usage: "vmx show [<options>] <id>",
    discussion: """
      Examples:
        vmx show girls/s01e01
        vmx show --why girls/s01e01
        vmx show --json girls/s01e01 | jq .parts
      """)

  @OptionGroup var output: OutputOptions

  @Flag(help: "Only what it waits for, and what would release it.")
  var why = false

  @Argument(help: "The episode.")
  var id: String

  func perform(in context: CommandContext) throws {
    let view = try LibraryView(in: context)
    let found = Result { try view.episode(named: id) }
    try view.warnOfDamage(in: context)
    let episode = try found.get()
    let details = EpisodeDetails(episode, view.facts(of: episode))
    if output.json {
      try context.write(why ? details.reasonRecord : details.record)
    } else {
      let text = why ? details.reasonDetails : details.details
      try context.output.write(text.text(context.terminal))
    }
  }
}
