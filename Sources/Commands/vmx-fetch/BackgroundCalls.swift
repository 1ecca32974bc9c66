import Synchronization
import VmxCommand
import VmxFetching
import VmxLibrary
import VmxLicence
import VmxModel
import VmxQueueing
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSyncing
import VmxSystem

/// The calls to backends during the transfers.
///
/// They send recorded events to the backend and to the server of `vmx sync`, and read the status of
/// licences. Orders of the backend are executed after the transfers. A failure here never fails the
/// fetch: events that cannot be sent stay recorded.
final class BackgroundCalls: Sendable {
  private let network: LicenceNetwork
  private let report: (events: SideTask<ReportDelivery.Outcome>, instructions: InstructionExecutor)?
  private let sync: SideTask<SyncDelivery>?
  private let licenceRefresh = Mutex<LicenceRefresh.Task?>(nil)
  private let store: LibraryStore
  private let context: CommandContext
  private let isFinished = Mutex(false)

  /// Starts the deliveries if the settings name a backend.
  ///
  /// - Throws: `bad-setting`, `resources-short`.
  init(
    _ tools: LibraryTools, remover: EpisodeRemover, environment: FetchEnvironment,
    engine: ProcessEngine, in context: CommandContext
  ) throws {
    let store = tools.store
    self.store = store
    self.context = context
    let network = try LicenceNetwork(
      store, context.settings, environment: environment, engine: engine, isBrief: true
    ) { _ in }
    self.network = network
    report = try context.settings.reportURL().map { url in
      let instructions = InstructionExecutor(
        store, allowed: try context.settings.allowedOrders(),
        rule: try OutboxRule(context.settings), remover: remover,
        editor: QueueEditor(tools))
      let delivery = ReportDelivery(
        store, to: url, clock: context.clock, send: network.send,
        report: { event, result in Self.report(event, result, in: context) })
      return (try delivery.startInBackground(), instructions)
    }
    sync = try SyncService.startInBackground(
      store, clock: context.clock, try SyncOptions(context.settings), send: network.send)
  }

  /// Starts reading the status of licences, unless the settings disable it.
  ///
  /// - Throws: `bad-setting`, `resources-short`.
  func readLicences(beside run: FetchRun) throws {
    guard try context.settings.bool(.licenceRefresh) else { return }
    let started = try LicenceRefresh.start(
      store, network: network, for: run, now: context.clock.now)
    licenceRefresh.withLock { $0 = started }
  }

  /// Sends the last events, executes orders and closes the connections. A second call does nothing.
  func finish() {
    guard
      isFinished.withLock({ isFinished in
        defer { isFinished = true }
        return !isFinished
      })
    else { return }
    defer { network.close() }
    for part in [finishLicenceRefresh, finishReport, finishSync] {
      do {
        try part()
      } catch {
        context.messages.report(Failure(error))
      }
    }
  }

  private func finishLicenceRefresh() throws {
    for outcome in try licenceRefresh.withLock({ $0 })?.finish() ?? [] {
      guard context.parental.allows(outcome.episode.id) else { continue }
      let words = outcome.reconciliation.reason.phrase()
      context.messages.note("the licence of '\(outcome.episode.id)': \(words)")
    }
  }

  private func finishReport() throws {
    guard let report else { return }
    let outcome = try report.events.finish()
    if let failure = outcome.failure, failure.code != .reportWaits {
      note(outcome.pending, of: "vmx report", failure: failure)
    }
    try report.instructions.refuseInvalid { instruction in
      let isVisible = instruction.episode.map { context.parental.allows(row: $0) } ?? true
      context.messages.report(instruction.refusal, id: isVisible ? instruction.episode : nil)
    }
    try report.instructions.perform(tell: reportResult)
  }

  private func finishSync() throws {
    guard let delivery = try sync?.finish() else { return }
    for text in delivery.notes.texts { context.messages.note(text) }
    if let failure = delivery.failure {
      note(delivery.pending, of: "vmx sync now", failure: failure)
    }
  }

  /// Prints how many events remain, why, and the command that sends them.
  private func note(_ left: Int, of command: String, failure: Failure) {
    let events = left == 1 ? "event" : "events"
    context.messages.note(
      "\(left) \(events) not sent: \(failure.summary); run '\(command)' to retry")
  }

  /// Prints that an event was dropped because the backend refused it.
  private static func report(
    _ event: OutboxEvent, _ result: OperationResult, in context: CommandContext
  ) {
    guard let failure = result.failure else { return }
    let isVisible = context.parental.allows(row: event.episode)
    context.messages.report(failure, id: isVisible ? event.episode : nil)
  }

  private func reportResult(of instruction: BackendInstruction, _ result: OperationResult) {
    guard context.parental.allows(row: instruction.episode) else {
      return context.messages.note(
        "received an order of the backend for an episode above the limit")
    }
    if let failure = result.failure {
      context.messages.report(failure, id: instruction.episode)
    } else if result == .done {
      context.messages.note(
        "'\(instruction.episode)': \(instruction.kind.rawValue), ordered by the backend")
    }
  }
}
