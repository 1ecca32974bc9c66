import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints episodes in full: their parts, their history, and the reasons why they wait. A show is
/// printed with its feed and its rules, and its episodes in a list.
@main
struct ShowCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "show", usage: "vmx show [<options>] <id>...",
    discussion: """
      Without ids, rows are read from standard input if it is a pipe or a file.

      Examples:
        vmx show girls/s01e01
        vmx show girls
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
    let shows = why ? [] : Set(try context.separatingShows(in: ids).shows)
    var show: (slug: String, details: Details)?
    var isFirst = true
    func write(_ details: Details) throws {
      let text = details.text(context.terminal)
      try context.output.write(isFirst ? text : "\n\(text)")
      isFirst = false
    }
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      reporter.count(.done)
      let details = EpisodeDetails(
        episode, view.facts(of: episode, withPosition: true), in: context.terminal.zone)
      let slug = episode.id.show
      // An operand with a slash is an id, whose episode is printed in full.
      let isOfShow = shows.contains(slug) && !ids.contains(episode.id.description)
      if show?.slug != (isOfShow ? slug : nil) {
        if !output.json { try show.map { try write($0.details) } }
        show = nil
        if isOfShow, let row = try self.row(of: slug, in: view, context) {
          show = (slug, row.details)
          show?.details.sections = [Details(heading: "episodes", lines: [])]
          if output.json { try context.write(row.record(nil)) }
        }
      }
      if output.json {
        let record = why ? details.reasonRecord : details.record
        try context.write(record.adding(unknownOf: row.received))
      } else if isOfShow {
        show?.details.sections[0].lines.append(details.line)
      } else {
        try write(why ? details.reasonDetails : details.details)
      }
      return true
    }
    if !output.json { try show.map { try write($0.details) } }
    return {
      try view.warnOfDamage(in: context)
      try reporter.finish(notes: [])
    }
  }

  /// Returns the row of a show; nil if it has no episode that may be shown.
  private func row(
    of slug: String, in view: LibraryView, _ context: CommandContext
  ) throws -> LibraryShowRow? {
    var query = EpisodeQuery()
    (query.prefix, query.wants) = ("\(slug)/", Want.present)
    return try ShowListing(
      of: view.snapshot, matching: query, try context.dueRule(), showing: context.parental
    ).rows.first
  }
}
