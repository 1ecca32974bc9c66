import ArgumentParser
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem

/// Prints the episodes of the library, one per line, in the order in which they were added.
@main
struct ListCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "list", usage: "vmx list [<options>] [<id>]...",
    discussion: """
      Prints a table on a terminal, else tab-separated lines with full times and sizes in bytes. \
      With '-', reads rows from standard input and prints their episodes in the current state.

      Examples:
        vmx list --due --sort -added
        vmx list --show girls --fields id,title,path
        vmx list --json --failed | jq -r .code
        vmx list --all --format '{id}\\t{size}'
        vmx list --shows --sort -unwatched
        vmx list --history --since 7d
        vmx list --follow --json --state ready | jq --unbuffered -r .id
        vmx fetch --json | vmx list --json -
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: ScreenOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sort by this field; -field for descending order.", valueName: "field"))
  var sort: String?

  @Option(help: ArgumentHelp("Only ids with this prefix.", valueName: "text"))
  var prefix = ""

  @Option(help: ArgumentHelp("Print at most this many rows.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Keep printing changed episodes; requires --json.")
  var follow = false

  @Flag(help: "Print past state changes, the newest last.")
  var history = false

  @Flag(help: "Print a row for each show instead of its episodes.")
  var shows = false

  @Option(
    help: ArgumentHelp(
      "Only added since this date or time, or 30d ago; with --history: changes since then.",
      valueName: "when"))
  var since: String?

  @Argument(help: "Only these ids or shows; '-' reads rows from standard input.")
  var ids: [String] = []

  func validate() throws {
    try checkNotNegative("--limit", limit.map(Int64.init))
    if follow && !output.json { throw ValidationError("--follow requires --json") }
    let clashes = [
      ("--follow", "--sort", follow && sort != nil),
      ("--follow", "--limit", follow && limit != nil),
      ("--follow", "--history", follow && history), ("--follow", "--since", follow && since != nil),
      ("--follow", "'-'", follow && ids == ["-"]),
      ("--history", "--sort", history && sort != nil),
      ("--shows", "--follow", shows && follow), ("--shows", "--history", shows && history),
      ("--shows", "--since", shows && since != nil), ("--shows", "'-'", shows && ids == ["-"]),
    ]
    for (one, other, clash) in clashes where clash {
      throw ValidationError("\(one) and \(other) exclude each other")
    }
  }

  func perform(in context: CommandContext) throws {
    // Messages wait until the pager has ended, since they would disturb its screen.
    try context.paging(unless: screen.noPager || follow) { try printed(in: $0) }?()
  }

  /// Prints the rows, and returns the conclusion.
  private func printed(in context: CommandContext) throws -> () throws -> Void {
    let filters = narrowed
    if shows { return try printedShows(filters, in: context) }
    let selection = InputSelection<EpisodeID>(
      ids, filters: filters, options: .onRequest, in: context)
    if history { return try printedHistory(selection, filters, in: context) }
    let form: OutputForm<EpisodeField> = try form.form(output, isTable: screen.table)
      .narrowed(to: EpisodeField.narrowFields, on: context.terminal)
    let reporter = RowReporter<EpisodeRow>(form, in: context)
    if follow {
      var stream = EpisodeStream(filters, prefix: prefix, to: reporter, in: context)
      try stream.run(selection)
      return {}
    }
    // Due episodes are printed in the order in which a fetch starts them.
    let isQueue = filters.due && sort == nil && selection.source == .filters
    var order = try sort.map { try SortOrder($0) }
    let view = try LibraryView(in: context)
    try self.filters.checkQuotes(ids, in: view.snapshot, context)
    if order?.isByRank == true || !isQueue && reporter.shows(.rank) { view.addRanks() }
    let position = EpisodeField.position.rawValue
    view.findsPositions = reporter.shows(.position) || sort?.hasSuffix(position) == true
    if reporter.shows(.imageFile) { view.findImages(in: context.imageCache) }
    var left = limit ?? .max
    var (count, bytes): (Int, Int64) = (0, 0)
    func print(_ episode: Episode) throws {
      guard left > 0 else { return }
      left -= 1
      count += 1
      let row = view.row(of: episode)
      bytes = bytes.addingClamped(row.bytes ?? 0)
      try reporter.print(row, received: view.unknownFields(of: episode.id), flushing: false)
    }
    let addedSince = try since.map { try moment($0, in: context) }
    try view.forEach(
      in: selection, filters, prefix: prefix, asQueue: isQueue, reporter: reporter
    ) { episode in
      guard left > 0 else { return false }
      if let addedSince, episode.added < addedSince { return true }
      guard order == nil else {
        order?.add(view.row(of: episode))
        return true
      }
      try print(episode)
      return left > 0
    }
    try order?.forEach { id in try print(try view.episode(named: id)) }
    if count > 0 {
      let size = bytes == 0 ? "" : ", \(ByteCount(clamping: bytes).forPeople)"
      try reporter.end(footer: "\(count) \(count == 1 ? "episode" : "episodes")\(size)")
    }
    return {
      if count == 0, limit != 0, selection.source != .rows {
        view.noteEmptiness(prefix: prefix, in: context)
      }
      try self.filters.requireShows(in: view.snapshot, context)
      try view.finish(reporter, in: context)
    }
  }

  /// Prints the shows of the matching episodes, and returns the conclusion.
  private func printedShows(
    _ filters: FilterOptions, in context: CommandContext
  ) throws -> () throws -> Void {
    let form: OutputForm<LibraryShowField> = try form.form(output, isTable: screen.table)
    let reporter = RowReporter<LibraryShowRow>(form, in: context)
    let (named, others) = try context.separatingShows(in: ids)
    if let other = others.first {
      throw Failure(
        .usage, "'\(other)' is no show of the library",
        hint: "give slugs or titles of shows, or leave out --shows")
    }
    let due = try context.dueRule()
    var query = try filters.query(due)
    query.prefix = prefix
    query.shows += named
    if !filters.includesRemoved { query.wants = Want.present }
    let view = try LibraryView(in: context)
    var listing = try ShowListing(
      of: view.snapshot, matching: query, due, includesEmpty: filters.isEmpty && ids.isEmpty,
      showing: context.parental)
    if let sort { try listing.sort(by: sort) }
    for row in listing.rows.prefix(limit ?? .max) { try reporter.print(row, flushing: false) }
    let count = listing.rows.count
    if count > 0 { try reporter.end(footer: "\(count) \(count == 1 ? "show" : "shows")") }
    return {
      if count == 0, limit != 0 { view.noteEmptiness(prefix: prefix, in: context) }
      try self.filters.requireShows(in: view.snapshot, context)
      try view.finish(reporter, in: context)
    }
  }

  /// Parses a time that an option names.
  private func moment(_ text: String, in context: CommandContext) throws -> Timestamp {
    try Timestamp(argument: text, now: context.clock.now, SystemZone())
  }

  /// Prints the transitions of the selected episodes, the newest last, and returns the conclusion.
  private func printedHistory(
    _ selection: InputSelection<EpisodeID>, _ filters: FilterOptions, in context: CommandContext
  ) throws -> () throws -> Void {
    let now = context.clock.now
    let since = try since.map { try moment($0, in: context) }
    let reporter = RowReporter<HistoryRow>(
      try form.form(output, isTable: screen.table), in: context)
    var history = EpisodeHistory(since: since, now: now)
    let view = try LibraryView(in: context)
    try view.forEach(in: selection, filters, prefix: prefix, reporter: reporter) { episode in
      history.add(episode)
      return true
    }
    try history.forEach(limit: limit ?? .max) { row in
      let received = EpisodeID(valid: row.id).map(view.unknownFields) ?? JSONObject()
      try reporter.print(row, received: received, flushing: false)
    }
    try reporter.end()
    return {
      try self.filters.requireShows(in: view.snapshot, context)
      try view.finish(reporter, in: context)
    }
  }

  /// The filters. A prefix selects episodes too, and removed ones have a history.
  private var narrowed: FilterOptions {
    var filters = filters
    if follow || history || !prefix.isEmpty { filters.all = true }
    return filters
  }
}
