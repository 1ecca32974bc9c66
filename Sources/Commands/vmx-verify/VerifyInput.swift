import Synchronization
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxVerifying

/// The files that `vmx verify` verifies: of ids, of filters, of rows, or of the whole library.
final class VerifyInput: Sendable {
  private let selection: InputSelection<EpisodeID>
  private let query: EpisodeQuery
  private let snapshot: StoreSnapshot
  private let context: CommandContext
  private let reporter: RowReporter<ProofRow>
  private let problem = Mutex<(any Error)?>(nil)

  init(
    _ selection: InputSelection<EpisodeID>, _ query: EpisodeQuery, of snapshot: StoreSnapshot,
    to reporter: RowReporter<ProofRow>, in context: CommandContext
  ) {
    self.selection = selection
    self.query = query
    self.snapshot = snapshot
    self.context = context
    self.reporter = reporter
  }

  /// Submits the files.
  ///
  /// - Parameters:
  ///   - isQuick: whether the order is irrelevant, since only existence and size are checked.
  ///   - skipFilter: skips the episodes for which a size check suffices.
  func feed(
    isQuick: Bool, through skipFilter: SkipFilter?, _ submit: ([VerificationItem]) -> Bool
  ) {
    do {
      if selection.source == .filters {
        return try snapshot.verificationItems(
          matching: query, isQuick: isQuick, through: skipFilter, submit)
      }
      try forEachNamed { summary, received in
        // A row that names a part selects only that file; its unknown fields are passed on.
        let part = received?["part"]?.string
        let items = VerificationItem.all(of: summary, named: part, received: received)
        if items.isEmpty {
          reporter.count(.unchanged())
          context.messages.note("'\(summary.id)' has no file to prove")
        }
        return items.allSatisfy { submit([$0]) }
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// Calls the closure with the summary of each selected episode.
  func forEach(_ body: (EpisodeSummary) throws -> Bool) throws {
    if selection.source == .filters { return try snapshot.summaries(matching: query, body) }
    try forEachNamed { summary, _ in try body(summary) }
  }

  /// Reports an error that ended `feed` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func conclude() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  private func forEachNamed(_ body: (EpisodeSummary, JSONObject?) throws -> Bool) throws {
    try selection.forEach { entry in
      switch entry {
      case .item(let id, let row):
        guard let episode = try snapshot.episode(id) else {
          reporter.reportUnknown(Failure.noSuchEpisode(id), at: row.place)
          return true
        }
        return try body(EpisodeSummary(episode), row.place == nil ? nil : row.received)
      case .bad(let failure, let row):
        if let place = row.place {
          reporter.reportBadLine(failure, at: place)
        } else {
          reporter.reportUnknown(failure)
        }
      case .passing(let object): try reporter.pass(object)
      }
      return true
    }
  }
}

extension RowReporter<ProofRow> {
  /// Prints and counts a file. Rows have every file if the user asked for them, else those with a
  /// problem.
  func report(
    _ proof: VerificationResult, _ settings: VerificationSettings, _ snapshot: StoreSnapshot,
    in context: CommandContext
  ) throws(OutputError) {
    let isShown = settings.tellsIntact || proof.answer != .intact
    let row = {
      ProofRow(proof, isRecorded: !settings.isDryRun, in: snapshot, now: context.clock.now)
    }
    try report(
      proof.result, isShown ? row() : nil, of: proof.item.id.description,
      as: proof.answer?.rawValue,
      flushing: !settings.tellsIntact || context.terminal.isTerminal || context.isJSON,
      once: proof.answer == .unreachable)
  }
}

extension ProofRow {
  /// - Parameter snapshot: knows the folder of a root that is not there.
  fileprivate init(
    _ proof: VerificationResult, isRecorded: Bool, in snapshot: StoreSnapshot, now: Timestamp
  ) {
    let (item, part) = (proof.item, proof.item.part)
    self.init(
      id: item.id.description, rev: proof.rev, part: part.name, role: part.role, proof.result,
      now: now)
    let isProven = isRecorded && (proof.verdict == .intact || proof.answer == .moved)
    let below = proof.newPath ?? item.judged.path
    root = item.judged.root
    let folder =
      proof.root?.string ?? snapshot.record(.root, item.judged.root)?.fields["path"]?.string
    path = folder.map { "\($0)/\(below)" } ?? below
    answer = proof.answer
    segments = proof.segments
    size = item.judged.size
    sha256 = item.judged.sha256
    self.proof = part.proof
    proven = isProven ? proof.at : part.proven
    times = proof.times
    received = item.received ?? JSONObject()
  }
}
