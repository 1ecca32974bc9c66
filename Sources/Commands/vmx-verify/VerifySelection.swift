import Synchronization
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxVerifying

/// The files that `vmx verify` verifies: of ids, of filters, of rows, or of the whole library.
final class VerifySelection: Sendable {
  private static let batch = 256

  private let ids: [String]
  private let filters: FilterOptions
  private let isWhole: Bool
  private let isQuick: Bool
  private let snapshot: StoreSnapshot
  private let context: CommandContext
  private let report: VerifyReport
  private let problem = Mutex<(any Error)?>(nil)

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - isWhole: whether the whole library was requested, so that no rows are read.
  ///   - isQuick: whether the order is irrelevant, since only existence and size are checked.
  init(
    ids: [String], _ filters: FilterOptions, isWhole: Bool, isQuick: Bool,
    of snapshot: StoreSnapshot, in context: CommandContext, _ report: VerifyReport
  ) {
    self.ids = ids
    self.filters = filters
    self.isWhole = isWhole
    self.isQuick = isQuick
    self.snapshot = snapshot
    self.context = context
    self.report = report
  }

  /// Submits the files.
  ///
  /// - Parameter sieve: skips the episodes for which a size check suffices.
  func feed(through skipFilter: SkipFilter?, _ submit: ([VerificationItem]) -> Bool) {
    do {
      if isSelected {
        try feedSelected(through: skipFilter, submit)
      } else {
        try forEachNamed { summary, part, received in
          let items = VerificationItem.all(of: summary, named: part, received: received)
          if items.isEmpty { report.reportWithoutFile(summary.id) }
          for item in items where !submit([item]) { return false }
          return true
        }
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// Calls the body with the summary of each selected episode.
  func forEach(_ body: (EpisodeSummary) throws -> Bool) throws {
    if isSelected { return try forEachSelected(body) }
    try forEachNamed { summary, _, _ in try body(summary) }
  }

  /// Reports an error that ended `feed` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func conclude() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  /// Whether filters select the episodes, or the whole library is selected.
  private var isSelected: Bool {
    let isTyped = !ids.isEmpty || !filters.isEmpty || isWhole
    return ids.isEmpty && !RecordInput.isOffered(by: context.input, selectionTyped: isTyped)
  }

  private func forEachSelected(
    through skipFilter: SkipFilter? = nil, _ body: (EpisodeSummary) throws -> Bool
  ) throws {
    let query = filters.query(try context.dueRule())
    guard !query.isEmpty else { return try snapshot.summaries(unless: skipFilter, body) }
    try snapshot.episodes(matching: query) { try body(EpisodeSummary($0)) }
  }

  private func feedSelected(through skipFilter: SkipFilter?, _ submit: ([VerificationItem]) -> Bool)
    throws
  {
    guard !isQuick else { return try feedQuickly(through: skipFilter, submit) }
    var order = StalestFirst()
    try forEachSelected { summary in
      order.add(summary)
      return true
    }
    order.forEach(in: snapshot) { submit([$0]) }
  }

  private func feedQuickly(through skipFilter: SkipFilter?, _ submit: ([VerificationItem]) -> Bool)
    throws
  {
    var batch: [VerificationItem] = []
    try forEachSelected(through: skipFilter) { summary in
      batch += VerificationItem.all(of: summary)
      guard batch.count >= Self.batch else { return true }
      defer { batch.removeAll(keepingCapacity: true) }
      return submit(batch)
    }
    if !batch.isEmpty { _ = submit(batch) }
  }

  /// Calls the body with the episodes of the given ids, else of the rows. A row that names a part
  /// selects only that file; its unknown fields are passed on.
  private func forEachNamed(
    _ body: (EpisodeSummary, _ part: String?, _ received: JSONObject?) throws -> Bool
  ) throws {
    for text in ids {
      guard let summary = try summary(of: text, at: nil) else { continue }
      guard try body(summary, nil, nil) else { return }
    }
    guard ids.isEmpty else { return }
    var rows = EpisodeInput(RecordInput(context.input))
    var isEmpty = true
    while let row = try rows.next() {
      isEmpty = false
      switch row {
      case .wish(let wish):
        guard let summary = try summary(of: wish.id.description, at: wish.place) else { continue }
        let received = wish.received
        guard try body(summary, received["part"]?.string, received) else { return }
      case .passing(let object): try report.pass(object)
      case .bad(let failure, let place): report.reportBadLine(failure, at: place)
      }
    }
    if isEmpty { context.messages.note("standard input has no rows; nothing to do") }
  }

  private func summary(of text: String, at place: InputPlace?) throws -> EpisodeSummary? {
    let episode = try EpisodeID(valid: text).flatMap { try snapshot.episode($0) }
    guard let episode else {
      let failure = Failure.noSuchEpisode(text)
      report.reportFailure(failure, at: place)
      return nil
    }
    return EpisodeSummary(episode)
  }
}
