import ArgumentParser
import VmxBrowsing
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
    let sheet = EpisodeSheet(episode, view.facts(of: episode))
    if output.json {
      let record = why ? sheet.reasonRecord : sheet.record
      try context.output.write(JSONText.line(record, escaping: context.terminal.isTerminal))
    } else {
      let details = why ? sheet.reasonDetails : sheet.details
      try context.output.write(details.text(context.terminal))
    }
  }
}
