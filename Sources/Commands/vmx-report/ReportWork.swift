import VmxCommand
import VmxFetching
import VmxLibrary
import VmxLicence
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSyncing
import VmxSystem

/// The work of a run of `vmx report`.
struct ReportWork {
  private let store: LibraryStore
  private let network: LicenceNetwork
  private let reporter: RowReporter<ReportRow>
  private let claimTimeout: Int64
  private let url: String?
  private let executor: InstructionExecutor
  private let context: CommandContext

  /// - Parameter claimTimeout: the maximum wait for an episode that another process works on, in
  ///   milliseconds.
  init(
    _ store: LibraryStore, network: LicenceNetwork, reporter: RowReporter<ReportRow>,
    claimTimeout: Int64, in context: CommandContext
  ) throws {
    self.store = store
    self.network = network
    self.reporter = reporter
    self.claimTimeout = claimTimeout
    self.context = context
    url = try context.settings.reportURL()
    let tools = LibraryTools(store, clock: context.clock, tool: context.stage)
    executor = InstructionExecutor(
      store, allowed: try context.settings.allowedOrders(), rule: try OutboxRule(context.settings),
      remover: EpisodeRemover(tools, claimTimeout: claimTimeout), editor: QueueEditor(tools))
  }

  /// Makes the pending calls to licence providers.
  func makeCalls(until interruption: Interruption) throws {
    for call in try store.snapshot().pendingLicenceCalls() where !interruption.isRequested {
      let result: OperationResult
      do {
        let outcome = try network.service.refresh(call.id, claimTimeout: claimTimeout)
        result = outcome.refusal.map { .waiting($0) } ?? .done
      } catch {
        if error.isInterruption { throw error }
        result = OperationResult(Failure(error))
      }
      try reporter.report(call.id, subject: .call(call.name), result: result, in: context)
    }
  }

  /// Sends the recorded events to the backend, and executes its orders.
  ///
  /// - Throws: the failure because of which events stay recorded.
  func deliver() throws {
    guard let url else {
      if try !store.snapshot().outbox(of: .report).isEmpty {
        context.messages.note("'report.url' is not set; the events stay recorded")
      }
      return
    }
    let delivery = ReportDelivery(store, to: url, clock: context.clock, send: network.send) {
      [reporter, context] event, result in
      try reporter.report(event, result, in: context)
    }
    let outcome = try delivery.deliver(ignoresRetryAfter: true)
    try executor.refuseInvalid { instruction in
      let id = instruction.episode ?? "backend"
      let subject = ReportRow.Subject.instruction(instruction.name ?? "", until: nil)
      try reporter.reportInvalid(
        ReportRow(id, subject: subject, result: .failed(instruction.refusal), stage: context.stage),
        instruction.refusal)
    }
    try executor.perform { instruction, result in
      try reporter.report(
        result,
        ReportRow(
          instruction.episode,
          subject: .instruction(instruction.kind.rawValue, until: instruction.until),
          result: result,
          stage: context.stage), of: instruction.episode)
    }
    try reporter.end()
    if outcome.isBusy {
      throw Failure(
        .lockBusy, "another process is reporting to the backend",
        hint: "run 'vmx report' again if it does not send these \(outcome.pending) events too")
    }
    if let failure = outcome.failure {
      context.messages.note(
        "\(outcome.pending) \(outcome.pending == 1 ? "event" : "events") not sent")
      throw failure
    }
  }
}

extension RowReporter<ReportRow> {
  /// Reports an event with its result.
  func report(
    _ event: OutboxEvent, _ result: OperationResult, in context: CommandContext
  ) throws(OutputError) {
    let subject = ReportRow.Subject.event(event.step, at: event.at)
    try report(
      result, ReportRow(event.episode, subject: subject, result: result, stage: context.stage),
      of: event.episode)
  }

  /// Reports the result for an episode.
  func report(
    _ id: EpisodeID, subject: ReportRow.Subject, result: OperationResult,
    in context: CommandContext
  ) throws(OutputError) {
    let row = ReportRow(id.description, subject: subject, result: result, stage: context.stage)
    try report(result, row, of: id.description)
  }
}
