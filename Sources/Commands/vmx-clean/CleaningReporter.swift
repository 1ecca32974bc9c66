import Glibc
import VmxCommand
import VmxModel
import VmxPresentation
import VmxSystem

/// Prints each step with its outcome, and ends the run with the totals.
final class CleaningReporter {
  private let context: CommandContext
  private let isJSON: Bool
  private var listing: Listing<CleaningRow>
  private var tally = Tally()
  private var planned: Int64 = 0
  private var steps = 0

  init(_ form: OutputForm<CleaningField>, in context: CommandContext) {
    self.context = context
    if case .json = form { isJSON = true } else { isJSON = false }
    listing = Listing<CleaningRow>(form, to: context.output, context.terminal)
  }

  /// Prints a planned step.
  func plan(_ step: CleaningStep) throws {
    steps += 1
    planned = planned.addingClamped(step.bytes?.bytes ?? 0)
    try listing.row(CleaningRow(step))
  }

  /// Prints and counts the outcome of a step.
  func report(_ step: CleaningStep, _ outcome: Outcome, received: JSONObject) throws {
    tally.count(outcome)
    try listing.row(CleaningRow(step, outcome, received: received))
    guard !isJSON, let failure = outcome.failure else { return }
    context.messages.report(failure, id: step.id)
  }

  /// Counts and reports an input line that is not a step.
  func reportBadLine(_ failure: Failure, at place: InputPlace) {
    tally.countBadLine()
    context.messages.report(failure, at: place)
  }

  /// Ends the run.
  ///
  /// - Throws: `CommandEnding` unless the status is 0; `output-failed`.
  func conclude(isPlan: Bool) throws {
    try listing.end()
    try context.output.flush()
    if isPlan, tally.isEmpty {
      let size = ByteCount(clamping: planned).forPeople
      return context.messages.note(steps == 0 ? "nothing to do" : "\(steps) planned, \(size)")
    }
    context.messages.note(tally.text)
    if tally.status != .success { throw CommandEnding.status(tally.status) }
  }

  /// Ends a run that was asked to stop.
  func conclude(interruptedBy interruption: Interruption) throws {
    try listing.end()
    try context.output.flush()
    context.messages.note("interrupted; run the same command to go on")
    throw CommandEnding.signal(interruption.signal ?? SIGINT)
  }
}
