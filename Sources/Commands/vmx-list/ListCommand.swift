import ArgumentParser
import VmxBrowsing
import VmxCommand
import VmxModel
import VmxPresentation

/// Prints the episodes of the library, one per line, in the order in which they were added.
@main
struct ListCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "list", usage: "vmx list [<options>] [<id>]...",
    discussion: """
      On a terminal a table, in a pipe tab-separated lines with whole times and sizes in bytes. \
      Without ids and filters, rows are read from standard input if it is a pipe or a file.

      Examples:
        vmx list --due --sort -added
        vmx list --show girls --fields id,title,path
        vmx list --json --failed | jq -r .code
        vmx list --all --format '{id}\\t{size}'
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var filters: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sort by this field; -field for the other way round.", valueName: "field"))
  var sort: String?

  @Option(help: ArgumentHelp("Only ids that begin with this text.", valueName: "text"))
  var prefix = ""

  @Option(help: ArgumentHelp("Print so many at most.", valueName: "n"))
  var limit: Int?

  @Argument(help: "Only these episodes.")
  var ids: [String] = []

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is not a number of rows: '\(limit)'") }
  }

  func perform(in context: CommandContext) throws {
    let form: OutputForm<EpisodeField> = try form.form(output)
    var order = try sort.map { try SortOrder($0) }
    let view = try LibraryView(in: context)
    var listing = Listing<EpisodeRow>(form, to: context.output, context.terminal)
    let selection = EpisodeSelection(ids, narrowed, in: context)
    var left = limit ?? .max
    let status = try selection.forEach(in: view) { episode in
      guard left > 0 else { return false }
      guard episode.id.description.hasPrefix(prefix) else { return true }
      let row = view.row(of: episode)
      guard order == nil else {
        order?.add(row)
        return true
      }
      try listing.row(row)
      left -= 1
      return left > 0
    }
    try order?.forEach { id in
      guard left > 0 else { return }
      try listing.row(view.row(of: try view.episode(named: id)))
      left -= 1
    }
    try listing.end()
    if status != .success { throw CommandEnding.status(status) }
  }

  /// The filters with what a prefix says: it selects too, and what begins with a whole show can
  /// be looked for among the episodes of that show.
  private var narrowed: FilterOptions {
    guard !prefix.isEmpty else { return filters }
    var filters = filters
    filters.all = true
    if let end = prefix.firstIndex(of: "/"), filters.show.isEmpty {
      filters.show = [String(prefix[..<end])]
    }
    return filters
  }
}
