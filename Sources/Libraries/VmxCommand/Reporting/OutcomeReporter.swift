import Glibc
import Synchronization
package import VmxModel
package import VmxPresentation
package import VmxSystem

/// Prints what becomes of each item, as it becomes known, and ends the run with its tally.
///
/// Rows go to standard output at once, so that the next stage of a pipe can begin; unless they are
/// JSON, what failed or waits is told on standard error as well. Workers may report at the same
/// time.
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

  /// A reporter for a run.
  ///
  /// - Parameter stage: its name in records; the tool's where nil.
  package init(
    _ form: OutputForm<OutcomeField>, in context: CommandContext, stage: String? = nil
  ) {
    self.context = context
    self.stage = stage ?? context.stage
    if case .json = form { isJSON = true } else { isJSON = false }
    // A table would keep rows back until it knows its widths; outcomes are told as they come.
    if case .columns(OutcomeField.usual) = form {
      isForPeople = context.terminal.isTerminal
    } else {
      isForPeople = false
    }
    let listing = Listing<OutcomeRow>(form, to: context.output, context.terminal)
    state = Mutex(State(listing: listing))
  }

  /// Prints and counts what became of an item; durable before it is called.
  ///
  /// - Parameter flushing: whether the row leaves at once; if not, whoever reports more in the same
  ///   moment calls `flush` behind them.
  /// - Returns: the row.
  /// - Throws: `output-failed`; `.closed` where nobody reads any more.
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
    // Only a result that ends on a terminal can meet the progress there.
    if context.terminal.isTerminal {
      try context.messages.undisturbed(tellRow)
    } else {
      try tellRow()
    }
    if !isJSON { tell(outcome, of: id) }
    return row
  }

  /// Lets rows go that were reported without.
  ///
  /// - Throws: as `report`.
  package func flush() throws(OutputError) {
    try context.output.flush()
  }

  /// Reports and counts an item that came to nothing: in JSON it is a row like any other, elsewhere
  /// only a message, since there is nothing to print.
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

  /// Passes on a row that failed at an earlier stage, untouched.
  ///
  /// - Throws: as `report`.
  package func pass(_ object: JSONObject) throws(OutputError) {
    guard isJSON else { return }
    try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
    try context.output.flush()
  }

  /// Reports and counts a line of the input that is no row.
  package func reportBadLine(_ failure: Failure, at place: InputPlace) {
    state.withLock { $0.tally.countBadLine() }
    context.messages.report(failure, at: place)
  }

  /// What was counted so far.
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

  /// Ends a run that may have been asked to stop: then it says how to go on, and the command ends
  /// by the signal that asked.
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
