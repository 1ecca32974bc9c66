import Synchronization
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxVerifying

/// The files to verify: those of ids, filters or rows, or of the whole library.
final class VerifyInput: Sendable {
  private let selection: InputSelection<EpisodeID>
  private let query: EpisodeQuery
  private let due: DueRule
  private let store: LibraryStore
  private let latest: Mutex<StoreSnapshot>
  private let reporter: RowReporter<VerificationRow>
  private let problem = Mutex<(any Error)?>(nil)

  init(
    _ selection: InputSelection<EpisodeID>, filters: FilterOptions, due: DueRule,
    of store: LibraryStore, to reporter: RowReporter<VerificationRow>
  ) throws {
    self.selection = selection
    query = try filters.query(due)
    self.due = due
    self.store = store
    self.reporter = reporter
    latest = Mutex(try store.snapshot())
  }

  /// The library as it was when the last row arrived.
  var snapshot: StoreSnapshot { latest.withLock { $0 } }

  /// Submits the files.
  ///
  /// - Parameters:
  ///   - isQuick: whether the order is irrelevant, since only existence and size are checked.
  ///   - skipFilter: skips the episodes for which a size check suffices.
  func submit(
    isQuick: Bool, through skipFilter: SkipFilter?, _ submit: ([VerificationItem]) -> Bool
  ) {
    do {
      if selection.source == .filters {
        return try snapshot.verificationItems(
          matching: query, isQuick: isQuick, through: skipFilter, submit)
      }
      try forEachNamed { summary, row in
        // A row that names a part selects only that file; its unknown fields are passed on.
        let received = row.position == nil ? nil : row.received
        let part = received?["part"]?.string
        let items = VerificationItem.all(of: summary, named: part, received: received)
        if items.isEmpty { try reporter.reportUnchanged(.noFile, row) }
        return items.allSatisfy { submit([$0]) }
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// Returns the total recorded size of all files. Nil if operands or rows select the episodes,
  /// since the input can be read only once.
  ///
  /// - Parameter budget: the maximum number of bytes to read.
  /// - Throws: errors of reading the store.
  func bytes(within budget: ByteCount?) throws -> Int64? {
    guard selection.source == .filters else { return nil }
    var sum: Int64 = 0
    try forEach { summary in
      for item in VerificationItem.all(of: summary) {
        sum = sum.addingClamped(item.recordedFile.size?.bytes ?? 0)
      }
      return true
    }
    return budget.map { min($0.bytes, sum) } ?? sum
  }

  /// Calls the closure with the summary of each selected episode.
  func forEach(_ body: (EpisodeSummary) throws -> Bool) throws {
    if selection.source == .filters { return try snapshot.summaries(matching: query, body) }
    try forEachNamed { summary, _ in try body(summary) }
  }

  /// Reports an error that ended `submit` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func reportSubmitError() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  private func forEachNamed(_ body: (EpisodeSummary, InputRow) throws -> Bool) throws {
    let view = LibraryView(snapshot, due, of: store)
    try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
      latest.withLock { $0 = view.snapshot }
      guard row.position == nil || query.matches(episode) else { return true }
      return try body(EpisodeSummary(episode), row)
    }
  }
}

extension RowReporter<VerificationRow> {
  /// Prints and counts a file. An intact file has a row only if the user requested all rows.
  func report(
    _ proof: VerificationResult, settings: VerificationSettings, in snapshot: StoreSnapshot,
    in context: CommandContext
  ) throws(OutputError) {
    let isShown = settings.reportsIntact || proof.verdict != .intact
    let row = {
      VerificationRow(proof, isRecorded: !context.isDryRun, in: snapshot, now: context.clock.now)
    }
    try report(
      proof.result, isShown ? row() : nil, of: proof.item.id.description,
      as: proof.verdict?.rawValue,
      flushing: !settings.reportsIntact || context.terminal.isTerminal || context.isJSON,
      once: proof.verdict == .unreachable)
  }
}

extension VerificationRow {
  /// - Parameter snapshot: contains the folder of a root that is not mounted.
  fileprivate init(
    _ proof: VerificationResult, isRecorded: Bool, in snapshot: StoreSnapshot, now: Timestamp
  ) {
    let (item, part) = (proof.item, proof.item.part)
    self.init(
      id: item.id.description, rev: proof.rev, part: part.name, role: part.role,
      isRecorded || proof.result != .done ? proof.result : .planned, now: now)
    let isProven = isRecorded && (proof.recordVerdict == .intact || proof.verdict == .moved)
    let below = proof.newPath ?? item.recordedFile.path
    root = item.recordedFile.root
    let folder =
      proof.root?.string ?? snapshot.rootFolder(item.recordedFile.root)
    relativePath = below
    path = folder.map { "\($0)/\(below)" } ?? below
    verdict = proof.verdict
    segments = proof.segments
    size = item.recordedFile.size
    sha256 = item.recordedFile.sha256
    self.proof = part.proof
    verifiedAt = isProven ? proof.at : part.verifiedAt
    times = proof.times
    received = item.received ?? JSONObject()
  }
}
