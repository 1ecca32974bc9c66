import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxSettings
import VmxStore
import VmxSystem

/// Changes which episodes are wanted, and their order. Every process sees a change immediately.
@main
struct QueueCommand: RowCommand, DryRunCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      tool: QueueArguments.name(calledAs: ProcessStart.arguments.first),
      usage: "vmx queue [<request>] [<options>] [<id>]...",
      discussion: """
        Without a request, or with 'list', prints the queue with the ranks of due episodes. \
        Requests: list, add, drop, pause, resume, cancel, retry; move --first, --last or --before ID; \
        priority N; after ID ID; set keep=yes, watched=yes, metered-ok=yes; set keep-next=3 --show \
        SHOW. Without ids and filters, rows are read from standard input if it is a pipe or a file.

        vmx queue pause girls/s01e02
        vmx queue priority 5 --show girls
        vmx queue move --first girls/s01e03
        vmx list --failed --json | vmx queue retry
        """)
  }

  static func arguments(of line: [String]) -> [String] { QueueArguments.parsed(line) }

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup var goal: DestinationOptions
  @OptionGroup var timer: TimerOptions

  @Flag(help: "With 'after': remove the dependency.")
  var none = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(
    help: ArgumentHelp("The request, then ids of episodes, or shows.", valueName: "request"),
    completion: .list(QueueRequest.names))
  var words: [String] = []

  func perform(in context: CommandContext) throws {
    if !timer.isRequested, QueueRequest.isListing(words) {
      try checkOptions(of: "list", readOnly: "list")
      return try QueueListing(Array(words.dropFirst()), filters)
        .perform(form, output, in: context)
    }
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context)
    if timer.isRequested {
      guard words.isEmpty else { throw Failure(.usage, "the timer options exclude requests") }
      try timer.perform(in: context, reporter)
    } else {
      try perform(try QueueRequest(words, goal, none: none), reporter, in: context)
    }
    try reporter.finish()
  }

  private func perform(
    _ request: QueueRequest, _ reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) throws {
    if case .act(.after(let others)) = request.task {
      for other in others { _ = try context.parental.checked(other) }
    }
    let store = try context.openStore(lock)
    let editor = QueueEditor(
      try LibraryTools(store, context.settings.files(), clock: context.clock, tool: context.stage))
    let (operands, filters) = try selection(request.operands, in: context)
    if let isSet = request.meteredMark, operands.isEmpty, filters.isShowAlone {
      // A metered network is allowed or forbidden for whole shows, including their future episodes.
      try forEachShow(of: filters, in: store, to: reporter) {
        try editor.mark(show: $0, meteredOK: isSet)
      }
      if isSet { return }
    }
    if case .keepNext(let count) = request.task {
      guard operands.isEmpty, filters.isShowAlone else {
        throw Failure(.usage, "'keep-next' applies to whole shows, and requires --show alone")
      }
      return try forEachShow(of: filters, in: store, to: reporter) {
        try editor.keepNext(count, of: $0)
      }
    }
    let input = try InputSelection(required: operands, filters, from: store, in: context)
    let rows = EpisodeRows(of: store, in: context)
    try perform(request.task, on: input, by: editor, rows, to: reporter)
  }

  /// Performs the task on the selected episodes, and reports each.
  private func perform(
    _ task: QueueRequest.Task, on input: InputSelection<EpisodeID>, by editor: QueueEditor,
    _ rows: EpisodeRows, to reporter: RowReporter<OutcomeRow>
  ) throws {
    // Cancelling cannot be undone, and a move depends on all moved episodes: both begin only after
    // the last row was read. Nothing is cancelled if a line is invalid.
    switch task {
    case .act(.cancel):
      for batch in try input.allOrInvalid().batches(of: QueueEditor.maxBatchSize) {
        try reporter.report(batch, rows) {
          try editor.perform(.cancel, on: $0)
        }
      }
    case .act(let action):
      try input.forEachBatch(largest: QueueEditor.maxBatchSize) { batch in
        try reporter.report(batch, rows) {
          try editor.perform(action, on: $0)
        }
        return true
      }
    case .move(let goal):
      try reporter.report(try input.all(), rows) {
        try editor.move($0, to: goal)
      }
    case .keepNext: break
    }
  }

  /// Returns the operands and the filters; operands that all name shows are as `--show`, which some
  /// requests apply to the shows themselves.
  private func selection(
    _ operands: [String], in context: CommandContext
  ) throws -> (operands: [String], filters: FilterOptions) {
    let (shows, others) = try context.separatingShows(in: operands)
    guard !shows.isEmpty, others.isEmpty else { return (operands, filters) }
    var filters = filters
    filters.show += shows
    return ([], filters)
  }

  /// Changes the records of the shows of `--show`, named by slug or title, and reports each.
  private func forEachShow(
    of filters: FilterOptions, in store: LibraryStore, to reporter: RowReporter<OutcomeRow>,
    change: (String) throws -> Bool
  ) throws {
    for name in filters.show {
      let slugs = try store.snapshot().slugs(ofShow: name)
      if slugs.isEmpty {
        try reporter.reportFailure(
          Failure(.noSuchEpisode, "no episodes of the show '\(name)'"), of: name)
      }
      for slug in slugs {
        try reporter.report(OperationResult(isChanged: try change(slug)), of: slug)
      }
    }
  }
}
