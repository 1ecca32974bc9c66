import Synchronization
import VmxCommand
import VmxJobs
import VmxModel
import VmxPresentation
import VmxStore

/// What `vmx fetch` is to work on: operands, filters, rows, or all that is due.
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

  /// Filters choose among what is wanted; `--failed` and `--missing` also ask to try it again.
  private static func queue(
    _ filters: FilterOptions, _ order: WorkOrder, missing: Bool, waits: Bool,
    _ store: LibraryStore, _ due: @escaping @Sendable () -> DueRule
  ) -> ReadyQueueFeed {
    var query = filters.query(due())
    if query.wants.isEmpty { query.wants = [.fetch] }
    // What a run may take up is judged part by part: an episode that can be watched may still lack
    // a picture that another run was about to fetch.
    query.due = nil
    let asksAgain = filters.failed || missing || order.repairsOnly
    return ReadyQueueFeed(store, query, waitsForOthers: waits) { episode in
      let rule = due()
      return episode.parts.contains {
        order.includes($0) && (asksAgain ? rule.isDueOnRequest($0) : rule.isDue($0))
      }
    }
  }

  /// The work on an episode has ended.
  func ended(_ item: WorkItem, _ outcome: EpisodeOutcome) {
    queue.ended(item.id, outcome)
  }

  /// Hands each episode over.
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

  /// Tells what ended the feeding early.
  ///
  /// - Throws: what reading the store or the input threw.
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
