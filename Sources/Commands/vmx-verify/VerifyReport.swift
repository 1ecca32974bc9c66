import Synchronization
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxVerifying

/// Prints the results of the verification: rows have every file, messages only files with a
/// problem.
final class VerifyReport: Sendable {
  private struct State {
    var listing: Listing<ProofRow>
    var tally = ProofTally()
    /// The messages about unmounted roots that were printed, so that each is printed once.
    var told: Set<String> = []
  }

  private let context: CommandContext
  private let snapshot: StoreSnapshot
  private let isUsual: Bool
  private let isDryRun: Bool
  /// Whether intact files have rows.
  let tellsAll: Bool
  private let state: Mutex<State>

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - usual: the default fields.
  ///   - tellsAll: whether the default output includes intact files.
  init(
    _ form: OutputForm<ProofField>, usual: [ProofField], of snapshot: StoreSnapshot,
    in context: CommandContext,
    isDryRun: Bool, tellsAll: Bool
  ) {
    self.context = context
    self.snapshot = snapshot
    isUsual = form == .columns(usual)
    self.isDryRun = isDryRun
    self.tellsAll = tellsAll || !isUsual
    let listing = Listing<ProofRow>(form, to: context.output, context.terminal)
    state = Mutex(State(listing: listing))
  }

  /// Prints and counts a file.
  ///
  /// - Throws: `output-failed`; `.closed` if the reader has closed the pipe.
  func report(_ proof: VerificationResult) throws(OutputError) {
    let outcome = proof.outcome
    try state.withLock { state throws(OutputError) in
      state.tally.count(proof.answer, outcome)
      if tellsAll || proof.answer != .intact {
        try print(row(of: proof, outcome), on: &state.listing)
      }
      if let failure = proof.failure, !context.isJSON,
        proof.answer != .unreachable || state.told.insert(failure.summary).inserted
      {
        context.messages.report(failure, id: proof.item.id.description)
      }
    }
  }

  /// Counts intact files that have no rows.
  func countIntact(_ count: Int) {
    state.withLock { $0.tally.countIntact(count) }
  }

  /// Reports and counts an unknown episode.
  func reportFailure(_ failure: Failure, at place: InputPlace?) {
    state.withLock { $0.tally.count(.failed(failure)) }
    context.messages.report(failure, at: place)
  }

  /// Reports and counts an episode that has no file.
  func reportWithoutFile(_ id: EpisodeID) {
    state.withLock { $0.tally.count(.unchanged(hint: nil)) }
    context.messages.note("'\(id)' has no file to prove")
  }

  /// Reports and counts an input line that is not a row.
  func reportBadLine(_ failure: Failure, at place: InputPlace) {
    state.withLock { $0.tally.countBadLine() }
    context.messages.report(failure, at: place)
  }

  /// Passes a row through unchanged that failed at an earlier stage.
  func pass(_ object: JSONObject) throws(OutputError) {
    guard context.isJSON else { return }
    try state.withLock { _ throws(OutputError) in
      try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
      try context.output.flush()
    }
  }

  /// Prints the buffered rows and the totals.
  ///
  /// - Parameters:
  ///   - note: an additional message on how the run ended.
  ///   - provesNothing: whether no file was to be counted.
  /// - Returns: the exit status.
  func conclude(
    _ note: String? = nil, provesNothing: Bool = false
  ) throws(OutputError) -> ExitStatus {
    try state.withLock { state throws(OutputError) in
      try state.listing.end()
      try context.output.flush()
      if !provesNothing || !state.tally.isEmpty { context.messages.note(state.tally.text) }
      if let note { context.messages.note(note) }
      return state.tally.status
    }
  }

  private func print(
    _ row: ProofRow, on listing: inout Listing<ProofRow>
  ) throws(OutputError) {
    if context.terminal.isTerminal, isUsual {
      // A table would buffer its rows to find the column widths.
      try context.output.write(row.line(context.terminal))
    } else {
      try listing.row(row)
    }
    if !tellsAll || context.terminal.isTerminal || context.isJSON { try context.output.flush() }
  }

  private func row(of proof: VerificationResult, _ outcome: Outcome) -> ProofRow {
    let (item, part) = (proof.item, proof.item.part)
    let isProven = !isDryRun && (proof.verdict == .intact || proof.answer == .moved)
    let below = proof.newPath ?? item.judged.path
    let folder =
      proof.root?.string ?? snapshot.record(.root, item.judged.root)?.fields["path"]?.string
    return ProofRow(
      id: item.id.description, rev: proof.rev, part: part.name, role: part.role,
      root: item.judged.root, path: folder.map { "\($0)/\(below)" } ?? below,
      answer: proof.answer, segments: proof.segments, size: item.judged.size,
      sha256: item.judged.sha256, proof: part.proof, proven: isProven ? proof.at : part.proven,
      times: proof.times, outcome: outcome, now: context.clock.now,
      received: item.received ?? JSONObject())
  }
}

extension VerificationResult {
  /// The outcome in the row for the next tool.
  fileprivate var outcome: Outcome {
    switch answer {
    case .intact: .done
    case .damaged, .missing, .moved: failure.map { .failed($0) } ?? .done
    case .unreachable: failure.map { .waiting($0) } ?? .unchanged(hint: nil)
    case nil:
      failure.map { .failed($0) }
        ?? .unchanged(hint: "another process works on it, or its record has changed meanwhile")
    }
  }
}
