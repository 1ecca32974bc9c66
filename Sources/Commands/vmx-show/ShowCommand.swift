import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints episodes in full: their parts, their history, and the reasons why they wait.
@main
struct ShowCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "show", usage: "vmx show [<options>] <id>...",
    discussion: """
      Without ids, rows are read from standard input if it is a pipe or a file.

      Examples:
        vmx show girls/s01e01
        vmx show --why girls/s01e01
        vmx show --json girls/s01e01 | jq .parts
        vmx list --failed --json | vmx show --why
      """)

  @OptionGroup var output: OutputOptions

  @Flag(help: "Print only why episodes wait, and what would help.")
  var why = false

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var ids: [String] = []

  @OptionGroup var screen: PagerOption

  func perform(in context: CommandContext) throws {
    try context.paging(unless: screen.noPager) { try printed(in: $0) }?()
  }

  /// Prints the episodes, and returns the conclusion.
  private func printed(in context: CommandContext) throws -> () throws -> Void {
    let selection = try InputSelection(required: ids, in: context)
    let reporter = RowReporter<OutcomeRow>(
      output.json ? .json(nil) : .columns(OutcomeField.defaultFields), in: context)
    let view = try LibraryView(in: context)
    view.findImages(in: context.imageCache)
    var isFirst = true
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      reporter.count(.done)
      let details = EpisodeDetails(
        episode, view.facts(of: episode, withPosition: true), in: context.terminal.zone)
      if output.json {
        let record = why ? details.reasonRecord : details.record
        try context.write(record.adding(unknownOf: row.received))
      } else {
        let text = (why ? details.reasonDetails : details.details).text(context.terminal)
        try context.output.write(isFirst ? text : "\n\(text)")
      }
      isFirst = false
      return true
    }
    return {
      try view.warnOfDamage(in: context)
      try reporter.finish(notes: [])
    }
  }
}
