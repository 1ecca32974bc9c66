import Synchronization
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore

/// The episodes that `vmx fetch` works on: operands, filters, rows, or all that are due.
final class FetchSelection: Sendable {
  private let operands: [String]
  private let filters: FilterOptions
  private let missing: Bool
  private let repairs: Bool
  private let store: LibraryStore
  private let context: CommandContext
  private let reporter: OutcomeReporter
  private let queue: ReadyQueueFeed
  private let problem = Mutex<(any Error)?>(nil)

  init(
    operands: [String], filters: FilterOptions, order: WorkOrder, missing: Bool,
    waits: Bool, store: LibraryStore, due: @escaping @Sendable () -> DueRule,
    context: CommandContext, reporter: OutcomeReporter
  ) {
    self.operands = operands
    self.filters = filters
    self.missing = missing
    repairs = order.repairsOnly
    self.store = store
    self.context = context
    self.reporter = reporter
    queue = Self.queue(filters, order, missing: missing, waits: waits, store, due)
  }

  /// Creates the queue. Filters choose among wanted episodes; `--failed` and `--missing` also retry
  /// them.
  private static func queue(
    _ filters: FilterOptions, _ order: WorkOrder, missing: Bool, waits: Bool,
    _ store: LibraryStore, _ due: @escaping @Sendable () -> DueRule
  ) -> ReadyQueueFeed {
    var query = filters.query(due())
    if query.wants.isEmpty { query.wants = [.fetch] }
    // Whether work is due is decided for each part: a watchable episode may still lack an image
    // that another run has not fetched yet.
    query.due = nil
    let asksAgain = filters.failed || missing || order.repairsOnly
    return ReadyQueueFeed(store, query, waitsForOthers: waits) { episode in
      let rule = due()
      return episode.parts.contains {
        order.includes($0) && (asksAgain ? rule.isDueOnRequest($0) : rule.isDue($0))
      }
    }
  }

  /// Tells the queue that the work on an episode has ended.
  func ended(_ item: WorkItem, _ outcome: EpisodeOutcome) {
    queue.ended(item.id, outcome)
  }

  /// Submits each episode.
  func feed(_ submitter: WorkSubmitter) {
    do {
      let isTyped = !operands.isEmpty || !filters.isEmpty || missing
      if !operands.isEmpty {
        try feedOperands(submitter)
      } else if RecordInput.isOffered(by: context.input, selectionTyped: isTyped) {
        try feedRows(submitter)
      } else {
        try feedSelected(submitter)
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// Reports an error that ended `feed` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func conclude() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }

  private func feedOperands(_ submitter: WorkSubmitter) throws {
    for operand in operands {
      do throws(Failure) {
        let id = WebURL.isMeant(by: operand) ? try added(operand) : try EpisodeID(operand)
        guard submitter.submit(WorkItem(id, isAsked: true)) else { return }
      } catch {
        try reporter.report(.failed(error), of: operand, episode: nil)
      }
    }
  }

  private func added(_ text: String) throws(Failure) -> EpisodeID {
    var description = EpisodeDescription()
    let variant = VariantDescription(sources: [try WebURL(text)])
    try description.add(PartDescription(role: .video, variants: [variant]))
    do {
      let episodeImporter = EpisodeBatchImporter(store: store, clock: context.clock)
      guard let result = try episodeImporter.take([description]).first else {
        throw Failure(.internalError, "the URL was not taken in")
      }
      return try result.get().episode.id
    } catch {
      throw Failure(error)
    }
  }

  private func feedRows(_ submitter: WorkSubmitter) throws {
    var input = EpisodeInput(RecordInput(context.input), takesProofs: repairs)
    var isEmpty = true
    while let row = try input.next() {
      isEmpty = false
      switch row {
      case .wish(let wish):
        guard submitter.submit(WorkItem(wish.id, isAsked: true, row: wish.received)) else { return }
      case .passing(let object): try reporter.pass(object)
      case .bad(let failure, let place): reporter.reportBadLine(failure, at: place)
      }
    }
    if isEmpty { context.messages.note("standard input had no rows") }
  }

  private func feedSelected(_ submitter: WorkSubmitter) throws {
    try queue.feed(submitter, asked: filters.failed || missing || repairs)
  }
}
