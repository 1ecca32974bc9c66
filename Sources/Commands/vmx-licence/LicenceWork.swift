import VmxCommand
import VmxLibrary
import VmxLicence
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Performs the action of `vmx licence` on one episode after another.
struct LicenceWork {
  /// An action, with the end that a renewal requests.
  struct Request {
    let action: LicenceAction
    let end: Timestamp?
  }

  private let request: Request
  private let store: LibraryStore
  private let service: LicenceService
  private let remover: EpisodeRemover
  private let grace: Int64
  private let claimTimeout: Int64
  private let reporter: RowReporter<LicenceRow>
  private let context: CommandContext

  /// - Parameter claimTimeout: the maximum wait, in milliseconds, for an episode that another
  ///   process works on.
  init(
    _ request: Request, service: LicenceService, store: LibraryStore, claimTimeout: Int64,
    reporter: RowReporter<LicenceRow>,
    in context: CommandContext
  ) throws {
    self.request = request
    self.store = store
    self.claimTimeout = claimTimeout
    self.service = service
    self.reporter = reporter
    self.context = context
    grace = try context.settings.milliseconds(.licenceGrace)
    remover = EpisodeRemover(
      LibraryTools(store, clock: context.clock, tool: context.stage), claimTimeout: claimTimeout)
  }

  /// Prints licences without calling their providers.
  func show(
    _ input: InputSelection<EpisodeID>, filters: FilterOptions, view: LibraryView
  ) throws {
    func show(_ episode: Episode, isNamed: Bool, _ received: JSONObject) throws {
      guard isNamed || episode.hasKey else { return }
      do {
        try reporter.print(
          row(try service.outcome(of: episode.id), result: nil, for: received), flushing: false)
        if isNamed { reporter.count(.done) }
      } catch let failure as Failure {
        // A key of another kind is not a licence; that is reported only for a given episode.
        guard isNamed || failure.code != .licenceMissing else { return }
        try report(failure, of: episode, received)
      }
    }
    if input.source == .filters {
      try view.forEach(in: input, filters, reporter: reporter) { episode in
        try show(episode, isNamed: false, JSONObject())
        return true
      }
    } else {
      try view.forEachNamed(in: input, reporter: reporter) { episode, row in
        try show(episode, isNamed: true, row.received)
        return true
      }
    }
  }

  /// Refreshes the licences that are due for a check.
  ///
  /// - Throws: as `perform`; errors of the store.
  func refreshDue(_ schedule: LicenceRefreshSchedule, until interruption: Interruption) throws {
    let snapshot = try store.snapshot()
    let (ids, left) = schedule.due(in: snapshot)
    for id in ids where !interruption.isRequested {
      guard let episode = try snapshot.episode(id) else { continue }
      try perform(on: episode, JSONObject())
    }
    if left > 0 {
      context.messages.note(
        "\(left) more are left for the next run, to limit requests to their providers")
    }
  }

  /// Performs the action on the episodes of the input, until an interruption.
  ///
  /// - Throws: as `perform(on:_:)`; the errors of the store and of standard input.
  func perform(
    on input: InputSelection<EpisodeID>, view: LibraryView, until interruption: Interruption
  ) throws {
    try view.forEachNamed(in: input, reporter: reporter) { episode, row in
      // Filters select among all episodes; skips those without a licence.
      guard input.source != .filters || episode.hasKey else { return true }
      try perform(on: episode, row.received)
      return !interruption.isRequested
    }
  }

  /// Performs the action on an episode and reports it.
  ///
  /// - Throws: `output-failed`, `WorkEnded.interrupted`.
  func perform(on episode: Episode, _ received: JSONObject) throws {
    do {
      let outcome = try store.isDryRun ? service.plan(episode.id, call) : performCall(episode.id)
      let result = try result(of: outcome)
      try reporter.report(
        result, row(outcome, result: result, for: received), of: episode.id.description)
      for note in outcome.notes { context.messages.note(note) }
      noteRemoval(outcome)
    } catch let error as OutputError {
      throw error
    } catch {
      if error.isInterruption { throw error }
      try report(Failure(error), of: episode, received)
    }
  }

  private func performCall(_ id: EpisodeID) throws -> LicenceService.Outcome {
    request.action == .register
      ? try service.register(id, claimTimeout: claimTimeout)
      : try service.refresh(id, requestedCall: call, claimTimeout: claimTimeout)
  }

  private var call: PendingCall? {
    switch request.action {
    case .renew: PendingCall(.renew, end: request.end)
    case .returnLicence: PendingCall(.returnLicence)
    case .show, .refresh, .register: nil
    }
  }

  private func result(of outcome: LicenceService.Outcome) throws -> OperationResult {
    if let refusal = outcome.refusal {
      return outcome.record.state == .waiting || refusal.code == .licenceUsedUp
        ? .waiting(refusal) : .failed(refusal)
    }
    if store.isDryRun { return .planned }
    // A removal that a crash has interrupted at its end has no files left, but an open entry.
    let id = outcome.episode.id
    if outcome.isReturned,
      try outcome.episode.parts.contains(where: { $0.state != .removed })
        || store.snapshot().openEntry(of: id) != nil
    {
      let removed = try remover.remove([id], RemovalOptions(.returned, "its licence was returned"))[
        0]
      return removed.result.failure == nil ? .done : removed.result
    }
    return OperationResult(isChanged: outcome.isChanged)
  }

  /// Prints when `vmx clean` will delete the files of an ended licence, so that it is not silent.
  private func noteRemoval(_ outcome: LicenceService.Outcome) {
    guard !context.isJSON, let ends = outcome.reconciliation.ends,
      [.expired, .renewable, .revoked].contains(outcome.reconciliation.state),
      !outcome.isReturned, outcome.episode.parts.contains(where: { $0.path != nil })
    else { return }
    let start = ends.adding(milliseconds: grace)
    context.messages.note(
      "'\(outcome.episode.id)': 'vmx clean' permanently deletes its files from \(start.text)")
  }

  private func report(_ failure: Failure, of episode: Episode, _ received: JSONObject) throws {
    let row = LicenceRow(
      episode.id, title: episode.title, facts: nil, result: .failed(failure), received: received,
      in: context)
    try reporter.report(
      .failed(failure), reporter.isJSON ? row : nil, of: episode.id.description)
  }

  private func row(
    _ outcome: LicenceService.Outcome, result: OperationResult?, for received: JSONObject
  ) -> LicenceRow {
    LicenceRow(
      outcome.episode.id, title: outcome.episode.title, facts: outcome.facts, result: result,
      received: received, in: context)
  }
}

extension LicenceService.Outcome {
  /// The facts that a row shows.
  fileprivate var facts: LicenceRow.Facts {
    let local = record.local
    var facts = LicenceRow.Facts(
      record.state == .waiting ? .waiting : reconciliation.state,
      reason: reconciliation.reason.phrase(in: SystemZone()),
      exactReason: reconciliation.reason.phrase(),
      licence: local.id, provider: local.provider)
    facts.starts = local.starts
    facts.expires = reconciliation.ends
    facts.playPeriod = local.playPeriod
    (facts.played, facts.registered) = (local.played, local.registered)
    facts.pending = local.call?.kind.rawValue
    facts.seen = record.seen
    guard let backend = record.backend else { return facts }
    facts.status = backend.status.rawValue
    facts.message = backend.message
    facts.potentialEnd = backend.potentialEnd
    facts.page = backend.page
    facts.offers = BackendView.Offer.allCases.filter { $0 != .licence }
      .filter(backend.offers.contains).map(\.rawValue)
    return facts
  }
}
