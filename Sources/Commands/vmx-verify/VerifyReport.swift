import Synchronization
import SystemPackage
import VmxCommand
import VmxJobs
import VmxModel
import VmxPresentation
import VmxProving
import VmxStore

/// Prints what was found of each file: in rows all of it, to people what is not as it should be.
final class VerifyReport: Sendable {
  private struct State {
    var listing: Listing<ProofRow>
    var tally = ProofTally()
    /// Why roots are not there, told once each.
    var told: Set<String> = []
  }

  private let context: CommandContext
  private let snapshot: StoreSnapshot
  private let isUsual: Bool
  private let isDryRun: Bool
  /// Whether files that are as they should be have rows.
  let tellsAll: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - usual: the fields where none were asked for.
  ///   - tellsAll: whether files that are as they should be are told to people too.
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
  /// - Throws: `output-failed`; `.closed` where nobody reads any more.
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

  /// Counts files that are as they should be and have no rows.
  func countIntact(_ count: Int) {
    state.withLock { $0.tally.countIntact(count) }
  }

  /// Reports and counts an episode that is not there.
  func reportFailure(_ failure: Failure, at place: InputPlace?) {
    state.withLock { $0.tally.count(.failed(failure)) }
    context.messages.report(failure, at: place)
  }

  /// Reports and counts an episode that has no file.
  func reportWithoutFile(_ id: EpisodeID) {
    state.withLock { $0.tally.count(.unchanged(hint: nil)) }
    context.messages.note("'\(id)' has no file to prove")
  }

  /// Reports and counts a line of the input that is no row.
  func reportBadLine(_ failure: Failure, at place: InputPlace) {
    state.withLock { $0.tally.countBadLine() }
    context.messages.report(failure, at: place)
  }

  /// Passes on a row that failed at an earlier stage, untouched.
  func pass(_ object: JSONObject) throws(OutputError) {
    guard context.isJSON else { return }
    try state.withLock { _ throws(OutputError) in
      try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
      try context.output.flush()
    }
  }

  /// Prints what was kept back, and the tally.
  ///
  /// - Parameters:
  ///   - note: what else is to be said of how the run ended.
  ///   - provesNothing: whether no file was to be counted.
  /// - Returns: the status.
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
      // A table would keep rows back until it knows its widths.
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
  /// What the row says to the next tool.
  fileprivate var outcome: Outcome {
    switch answer {
    case .intact: .done
    case .damaged, .missing, .moved: failure.map { .failed($0) } ?? .done
    case .unreachable: failure.map { .waiting($0) } ?? .unchanged(hint: nil)
    case nil:
      failure.map { .failed($0) }
        ?? .unchanged(hint: "somebody else works on it, or its record has changed meanwhile")
    }
  }
}
