import Glibc
import Synchronization
package import VmxModel
package import VmxPresentation
package import VmxSystem

/// Prints the outcome of each item as soon as it is known, and ends the run with a tally.
///
/// Rows are flushed to standard output at once, so that the next stage of a pipe can begin. Unless
/// they are JSON, failed and waiting items are also reported on standard error. Several workers may
/// report concurrently.
package final class OutcomeReporter: Sendable {
  private struct State {
    var listing: Listing<OutcomeRow>
    var tally = Tally()
  }

  private let context: CommandContext
  private let stage: String
  private let isJSON: Bool
  private let isForPeople: Bool
  private let state: Mutex<State>

  /// Creates a reporter for a run.
  ///
  /// - Parameter stage: the name of the stage in records; nil for that of the tool.
  package init(
    _ form: OutputForm<OutcomeField>, in context: CommandContext, stage: String? = nil
  ) {
    self.context = context
    self.stage = stage ?? context.stage
    if case .json = form { isJSON = true } else { isJSON = false }
    // A table would delay the rows until its column widths are known; outcomes are printed at once.
    if case .columns(OutcomeField.usual) = form {
      isForPeople = context.terminal.isTerminal
    } else {
      isForPeople = false
    }
    let listing = Listing<OutcomeRow>(form, to: context.output, context.terminal)
    state = Mutex(State(listing: listing))
  }

  /// Prints and counts the outcome of an item. The outcome must be durable before this call.
  ///
  /// - Parameter flushing: whether the row is flushed at once. If false, the caller must call
  ///   `flush` after its last row.
  /// - Returns: the row.
  /// - Throws: `output-failed`; `.closed` if the reader has closed the pipe.
  @discardableResult
  package func report(
    _ outcome: Outcome, of id: String, episode: EpisodeRow?,
    received: JSONObject = JSONObject(), flushing: Bool = true
  ) throws(OutputError) -> OutcomeRow {
    let row = OutcomeRow(
      id, stage: stage, outcome, episode: episode, received: received)
    func tellRow() throws(OutputError) {
      try state.withLock { state throws(OutputError) in
        state.tally.count(outcome)
        if isForPeople {
          try context.output.write(row.line(context.terminal))
        } else {
          try state.listing.row(row)
        }
        if flushing { try context.output.flush() }
      }
    }
    // Only a result that goes to a terminal can collide with the progress display there.
    if context.terminal.isTerminal {
      try context.messages.undisturbed(tellRow)
    } else {
      try tellRow()
    }
    if !isJSON { tell(outcome, of: id) }
    return row
  }

  /// Flushes the rows that were reported with `flushing: false`.
  ///
  /// - Throws: as `report`.
  package func flush() throws(OutputError) {
    try context.output.flush()
  }

  /// Reports and counts an item without a result. In JSON it is a row like any other; otherwise it
  /// is only a message, because there is nothing to print.
  ///
  /// - Throws: as `report`.
  package func reportFailure(
    _ failure: Failure, of id: String, received: JSONObject = JSONObject()
  ) throws(OutputError) {
    if isJSON {
      try report(.failed(failure), of: id, episode: nil, received: received)
      return
    }
    state.withLock { $0.tally.count(.failed(failure)) }
    tell(.failed(failure), of: id)
  }

  /// Passes on a row that failed at an earlier stage, unchanged.
  ///
  /// - Throws: as `report`.
  package func pass(_ object: JSONObject) throws(OutputError) {
    guard isJSON else { return }
    try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
    try context.output.flush()
  }

  /// Reports and counts an invalid line of the input.
  package func reportBadLine(_ failure: Failure, at place: InputPlace) {
    state.withLock { $0.tally.countBadLine() }
    context.messages.report(failure, at: place)
  }

  /// The tally so far.
  package var tally: Tally { state.withLock { $0.tally } }

  /// Prints the tally and ends the command.
  ///
  /// - Throws: `CommandEnding` unless the status is 0; `output-failed`.
  package func conclude() throws {
    try state.withLock { try $0.listing.end() }
    let tally = tally
    try context.output.flush()
    context.messages.note(tally.text)
    if tally.status != .success { throw CommandEnding.status(tally.status) }
  }

  /// Ends a run that may have been interrupted. In that case prints how to continue, and ends the
  /// command by the received signal.
  ///
  /// - Throws: `CommandEnding` unless the status is 0; `output-failed`.
  package func conclude(interruptedBy interruption: Interruption) throws {
    guard interruption.isRequested else { return try conclude() }
    try state.withLock { try $0.listing.end() }
    try context.output.flush()
    context.messages.note("interrupted; run the same command to go on")
    throw CommandEnding.signal(interruption.signal ?? SIGINT)
  }

  private func tell(_ outcome: Outcome, of id: String) {
    switch outcome {
    case .failed(let failure), .waiting(let failure): context.messages.report(failure, id: id)
    case .unchanged(let hint?): context.messages.note("'\(id)' is unchanged: \(hint)")
    case .done, .unchanged: break
    }
  }
}
