import Glibc
import Synchronization
package import VmxModel
package import VmxPresentation
package import VmxSystem

/// Prints the row of each item as soon as its result is known, counts the results, and ends the run
/// with a tally and an exit status.
///
/// Unless rows are JSON, failed and waiting items are also reported on standard error. Several
/// threads may report concurrently.
///
/// ```swift
/// let reporter = RowReporter<OutcomeRow>(try form.form(output), in: context)
/// for result in results { try reporter.report(result, rows) }
/// try reporter.finish()
/// ```
package final class RowReporter<Row: ListingRow>: Sendable {
  private struct State {
    var listing: Listing<Row>
    var tally: Tally
    /// The messages of failures that are reported once.
    var reported: Set<String> = []
    /// The conditions of this machine for which items wait, in the order of their first items.
    var conditions: [MachineCondition] = []
    /// The invalid lines of the input, which are reported in full up to a limit.
    var invalidLines = InvalidLines()
    /// The row of a pipe from which the rows that are printed now are made.
    var received = JSONObject()
  }

  /// Whether rows are JSON.
  package let isJSON: Bool
  private let form: OutputForm<Row.Field>
  let context: CommandContext
  /// Whether each row is a line of its own. A table would delay the rows until its column widths
  /// are known.
  private let printsLines: Bool
  private let state: Mutex<State>

  /// Creates a reporter for a run.
  ///
  /// - Parameters:
  ///   - usual: the default fields, which a terminal gets as lines if the row has such a form.
  ///   - tally: an empty tally.
  package init(
    _ form: OutputForm<Row.Field>, usual: [Row.Field] = Row.Field.defaultFields,
    in context: CommandContext, tally: Tally = Tally()
  ) {
    self.context = context
    // On a terminal, the listing prints columns as a table anyway.
    var form = form
    if case .table(let fields) = form, context.terminal.isTerminal { form = .columns(fields) }
    self.form = form
    if case .json = form { isJSON = true } else { isJSON = false }
    printsLines = form.isDefault(usual) && context.terminal.isTerminal
    let listing = Listing<Row>(form, to: context.output, context.terminal)
    state = Mutex(State(listing: listing, tally: tally))
  }

  /// Whether the rows show a field.
  package func shows(_ field: Row.Field) -> Bool { form.shows(field) }

  /// Passes the unknown fields of a received row on to all rows that the closure prints without a
  /// received row of their own.
  package func passingOn<Result>(
    fieldsOf row: InputRow, _ body: () throws -> Result
  ) rethrows -> Result {
    state.withLock { $0.received = row.received }
    defer { state.withLock { $0.received = JSONObject() } }
    return try body()
  }

  /// Prints a row, unless it is of an episode that parental control hides.
  ///
  /// - Parameters:
  ///   - received: the row of a pipe from which it was made; its unknown fields are passed on.
  ///   - flushing: whether the row is flushed at once, so that the next stage of a pipe can begin.
  ///     If false, the caller must call `flush` or `finish` after its last row.
  /// - Throws: `output-failed`; `.closed` if the reader has closed the pipe.
  package func print(
    _ row: Row, received: JSONObject = JSONObject(), flushing: Bool = true
  ) throws(OutputError) {
    guard context.parental.allows(row: row.id) else { return }
    try write(row, received: received, flushing: flushing)
  }

  private func write(
    _ row: Row, received: JSONObject = JSONObject(), flushing: Bool
  ) throws(OutputError) {
    func write() throws(OutputError) {
      try state.withLock { state throws(OutputError) in
        if printsLines, let line = row.line(context.terminal) {
          try context.output.write(line)
        } else {
          try state.listing.row(row, received: received.fields.isEmpty ? state.received : received)
        }
        if flushing { try context.output.flush() }
      }
    }
    // Only output to a terminal can collide with the progress display there.
    if context.terminal.isTerminal {
      try context.messages.suspendingLiveView(write)
    } else {
      try write()
    }
  }

  /// Prints and counts the result of an item. The result must be durable before this call.
  ///
  /// - Parameters:
  ///   - row: the row of the item; nil if it is only counted and its failure reported.
  ///   - word: the word under which the tally counts it.
  ///   - once: whether a failure with the same summary is reported only once.
  /// - Throws: as `print`.
  package func report(
    _ result: OperationResult, _ row: Row?, of id: String, as word: String? = nil,
    flushing: Bool = true, once: Bool = false
  ) throws(OutputError) {
    let isNew = state.withLock { state in
      state.tally.count(context.reported(result), as: word)
      guard once, let failure = result.failure else { return true }
      return state.reported.insert(failure.summary).inserted
    }
    // The row of a refusal contains only the given id.
    if let row, result.failure?.code == .parental {
      try write(row, flushing: flushing)
    } else if let row {
      try print(row, flushing: flushing)
    }
    guard !isJSON, isNew, let failure = result.failure else { return }
    guard failure.code == .parental || context.parental.allows(row: id) else {
      // The summary may name the episode or its files.
      return context.messages.report(
        Failure(failure.code, "an episode above the limit: \(failure.code.entry.sentence)"))
    }
    let shown = context.parental.shown(failure.about(id), of: id)
    if case .waiting = result, let condition = MachineCondition(shown, of: id, hint: failure.hint) {
      return state.withLock { $0.conditions.add(condition) }
    }
    context.messages.report(shown, id: id)
  }

  /// Counts items that wait for a condition of the machine and that the run did not begin; they are
  /// told with the others.
  package func countWaiting(_ failure: Failure, times: Int) {
    guard times > 0, let condition = MachineCondition(failure, count: times) else { return }
    count(.waiting(failure), times: times)
    guard !isJSON else { return }
    state.withLock { $0.conditions.add(condition) }
  }

  /// Counts items without rows or messages.
  package func count(_ result: OperationResult, as word: String? = nil, times: Int = 1) {
    state.withLock { $0.tally.count(result, as: word, times: times) }
  }

  /// Reports and counts a line of the input that is invalid. Unless rows are JSON, only the first
  /// lines with the same error are reported in full; `finish` prints the number of the others.
  package func reportInvalidLine(_ failure: Failure, at position: InputPosition) {
    let isReported = state.withLock { state in
      state.tally.countInvalidLine()
      return context.isJSON || state.invalidLines.add(failure, at: position)
    }
    if isReported { context.messages.report(failure, at: position) }
  }

  /// Counts an invalid line that is reported elsewhere.
  func countInvalidLine() { state.withLock { $0.tally.countInvalidLine() } }

  /// Reports and counts an operand or a row whose episode cannot be shown. In JSON a row of
  /// standard input is passed on as failed.
  ///
  /// - Throws: as `print`.
  package func reportFailed(_ failure: Failure, _ row: InputRow) throws(OutputError) {
    count(.failed(failure))
    guard isJSON, row.position != nil else {
      return context.messages.report(failure, at: row.position)
    }
    try passThrough(OutcomeRow(row, stage: context.stage, .failed(failure)).record(nil))
  }

  /// Reports and counts a row of standard input to which the tool does not apply. In JSON it is
  /// passed on as unchanged.
  ///
  /// - Throws: as `print`.
  package func reportUnchanged(_ reason: UnchangedReason, _ row: InputRow) throws(OutputError) {
    count(.unchanged(reason))
    guard isJSON else { return context.messages.note("'\(row.text ?? "")': \(reason.phrase)") }
    try passThrough(OutcomeRow(row, stage: context.stage, .unchanged(reason)).record(nil))
  }

  /// Passes on a row that failed at an earlier stage, unchanged.
  ///
  /// - Throws: as `print`.
  package func passThrough(_ object: JSONObject) throws(OutputError) {
    guard context.isJSON else { return }
    try state.withLock { _ throws(OutputError) in
      try context.write(object)
      try context.output.flush()
    }
  }

  /// Flushes the rows that were reported with `flushing: false`.
  ///
  /// - Throws: as `print`.
  package func flush() throws(OutputError) {
    try context.output.flush()
  }

  /// The tally so far.
  package var tally: Tally { state.withLock { $0.tally } }

  /// Prints the buffered rows.
  ///
  /// - Throws: as `print`.
  package func end() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      try state.listing.end()
      try context.output.flush()
    }
  }

  /// Prints the buffered rows, and a footer below a table.
  ///
  /// - Throws: as `print`.
  package func end(footer: String) throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      try state.listing.end()
      try state.listing.footer(footer)
      try context.output.flush()
    }
  }

  /// Prints the buffered rows and the notes, and ends the command.
  ///
  /// - Parameter signal: the signal that has interrupted the run, by which the command ends.
  /// - Throws: `CommandExit` unless the status is 0; `output-failed`.
  package func finish(notes: [String], signal: Int32? = nil) throws {
    try end()
    for (failure, position) in state.withLock({ $0.invalidLines.remainder }) {
      context.messages.report(failure, at: position)
    }
    context.messages.report(state.withLock { $0.conditions }, asFailures: tally.waitingFails)
    if context.isDryRun { context.messages.note(CommandContext.dryRunNote) }
    for note in notes { context.messages.note(note) }
    if let signal { throw CommandExit.signal(signal) }
    let status = tally.status
    if status != .success { throw CommandExit.status(status) }
  }

  /// Prints the buffered rows and the tally, and ends the command. After an interruption it prints
  /// how to continue instead.
  ///
  /// - Parameter sentence: the end of the run in words, printed in place of the tally.
  /// - Throws: as `finish(notes:)`.
  package func finish(
    interruptedBy interruption: Interruption? = nil, as sentence: String? = nil
  ) throws {
    guard let interruption, interruption.isRequested else {
      return try finish(notes: [sentence ?? tally.text])
    }
    try finish(notes: [interruption.advice], signal: interruption.signal ?? SIGINT)
  }
}

extension Interruption {
  /// The note about an interrupted run.
  fileprivate var advice: String { "interrupted; run the same command to continue" }
}

extension CommandContext {
  /// Performs work that throws when an interruption is requested, and then ends the command by the
  /// signal. What was printed before is part of the result.
  ///
  /// - Throws: the errors of the body; `CommandExit` after an interruption.
  package func ending<Result>(
    by interruption: Interruption, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error {
      guard error.isInterruption else { throw error }
      messages.note(interruption.advice)
      throw CommandExit.signal(interruption.signal ?? SIGINT)
    }
  }
}

extension OutcomeRow {
  /// Creates the row of a result for which the episode's record does not matter.
  fileprivate init(_ row: InputRow, stage: String, _ result: OperationResult) {
    self.init(row.text ?? "", stage: stage, result, episode: nil, received: row.received)
  }
}

extension RowReporter where Row == OutcomeRow {
  /// Prints and counts the result of an episode or another item, and reports the hint of an
  /// unchanged one.
  ///
  /// - Returns: the row.
  /// - Throws: as `print`.
  @discardableResult
  package func report(
    _ result: OperationResult, of id: String, episode: EpisodeRow? = nil,
    received: JSONObject = JSONObject(), as word: String? = nil, flushing: Bool = true
  ) throws(OutputError) -> OutcomeRow {
    var result = context.reported(result)
    // Searches for similar names only if the user typed the id.
    if case .failed(let failure) = result, episode == nil, received.fields.isEmpty {
      result = .failed(context.guessing(failure, of: id))
    }
    let row = OutcomeRow(
      id, stage: context.stage, result.mapFailure { context.parental.shown($0, of: id) },
      episode: episode, received: received)
    try report(result, row, of: id, as: word, flushing: flushing)
    if !isJSON, case .unchanged(_, let hint?) = result, context.parental.allows(row: id) {
      context.messages.note("'\(id)' is unchanged: \(hint)")
    }
    return row
  }

  /// Reports and counts an item that cannot be shown. In JSON it is a row like any other; otherwise
  /// it is only a message, because there is nothing to print.
  ///
  /// - Throws: as `print`.
  package func reportFailure(
    _ failure: Failure, of id: String, received: JSONObject = JSONObject()
  ) throws(OutputError) {
    let failure = received.fields.isEmpty ? context.guessing(failure, of: id) : failure
    let row = OutcomeRow(
      id, stage: context.stage, .failed(context.parental.shown(failure, of: id)), episode: nil,
      received: received)
    try report(.failed(failure), isJSON ? row : nil, of: id)
  }

  /// Prints and counts the result of an operation on an episode, and its notes.
  ///
  /// - Parameter word: the word under which the tally counts it.
  /// - Throws: the errors of the store, and as `print`.
  package func report(
    _ result: EpisodeResult, _ rows: EpisodeRows, received: JSONObject = JSONObject(),
    as word: String? = nil, flushing: Bool = true
  ) throws {
    if case .failed(let failure) = result.result, result.episode == nil {
      return try reportFailure(failure, of: result.id.description, received: received)
    }
    try report(
      result.result, of: result.id.description, episode: try result.episode.map(rows.row),
      received: received, as: word, flushing: flushing)
    guard context.parental.allows(result.id) else { return }
    for note in result.notes { context.messages.note(note) }
  }

  /// Reports entries of the input: bad ones are reported, others passed on, and the results of the
  /// items follow each other in the order of the entries.
  ///
  /// - Parameter perform: returns the result of each item.
  /// - Throws: the errors of `perform`, and as `report`.
  package func report<Item: Sendable>(
    _ entries: [InputSelection<Item>.Entry], _ rows: EpisodeRows,
    perform: ([Item]) throws -> [EpisodeResult]
  ) throws {
    let items = entries.compactMap { entry in
      if case .item(let item, _) = entry { item } else { nil }
    }
    var results = (items.isEmpty ? [] : try perform(items))[...]
    for entry in entries {
      switch entry {
      case .item(_, let row):
        // The results of a batch are known at the same time: its rows are flushed together.
        guard let result = results.popFirst() else { break }
        try report(result, rows, received: row.received, flushing: false)
      case .invalid, .passThrough: try reportUnusable(entry)
      }
    }
    try flush()
  }

  /// Reports an entry of the input that is not an item, or passes it on.
  ///
  /// - Throws: as `print`.
  package func reportUnusable<Item: Sendable>(
    _ entry: InputSelection<Item>.Entry
  ) throws(OutputError) {
    switch entry {
    case .item: break
    case .passThrough(let object): try passThrough(object)
    case .invalid(let failure, let row):
      if let position = row.position, failure.code != .parental {
        // Flushes earlier rows first, so that they precede the message if both streams go to one
        // terminal.
        try flush()
        reportInvalidLine(failure, at: position)
      } else {
        try reportFailure(failure, of: row.text ?? "", received: row.received)
      }
    }
  }
}
