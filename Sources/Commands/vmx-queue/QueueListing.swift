import VmxCommand
import VmxModel
import VmxPresentation

/// Prints the queue: the episodes that are wanted and not ready. Due episodes come first, in the
/// order in which a fetch starts them; waiting, failed and held ones follow in the order of adding.
struct QueueListing {
  private static let defaultFields: [EpisodeField] = [.id, .rank, .state, .priority, .title]

  private let filters: FilterOptions
  private let operands: [String]

  init(_ operands: [String], _ filters: FilterOptions) {
    self.operands = operands
    self.filters = filters
  }

  /// Prints the rows in the form of the options.
  ///
  /// - Throws: `usage`, and errors of reading the library.
  func perform(
    _ form: FormOptions, _ output: OutputOptions, in context: CommandContext
  ) throws {
    let reporter = RowReporter<EpisodeRow>(
      try form.form(output, usual: Self.defaultFields), usual: Self.defaultFields, in: context)
    var filters = filters
    filters.all = operands.isEmpty
    let selection = InputSelection<EpisodeID>(operands, filters: filters, in: context)
    let view = try LibraryView(in: context)
    try self.filters.checkQuotes(operands, in: view.snapshot, context)
    view.addRanks()
    view.findsPositions = reporter.shows(.position)
    var order = try SortOrder(EpisodeField.rank.rawValue)
    try view.forEach(in: selection, filters, reporter: reporter) { episode in
      let row = view.row(of: episode)
      let isQueued = [.fetch, .hold].contains(episode.want) && episode.state != .ready
      if isQueued || !row.exact(.rank).isEmpty { order.add(row) }
      return true
    }
    try order.forEach { id in
      let episode = try view.episode(named: id)
      try reporter.print(
        view.row(of: episode), received: view.unknownFields(of: episode.id), flushing: false)
    }
    try self.filters.requireShows(in: view.snapshot, context)
    try view.finish(reporter, in: context)
  }
}
