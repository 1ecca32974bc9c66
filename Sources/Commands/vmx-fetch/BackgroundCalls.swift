import Synchronization
import VmxCommand
import VmxFetching
import VmxLicence
import VmxModel
import VmxQueueing
import VmxRemoving
import VmxReporting
import VmxStore
import VmxSystem

/// The calls to backends beside the transfers: steps of episodes are told, orders are carried out behind
/// them, and the status of licences is read. They fail no fetch: what cannot be told stays recorded.
final class BackgroundCalls: Sendable {
  private let network: LicenceNetwork
  private let report: (events: BackgroundReport, orders: OrderExecutor)?
  private let looks = Mutex<LicenceLooks?>(nil)
  private let store: LibraryStore
  private let context: CommandContext
  private let isFinished = Mutex(false)

  /// Starts the deliveries if the settings name a backend.
  ///
  /// - Throws: `bad-setting`, `resources-short`.
  init(
    _ store: LibraryStore, _ remover: EpisodeRemover, _ environment: FetchEnvironment,
    in context: CommandContext
  ) throws {
    self.store = store
    self.context = context
    let network = try LicenceNetwork(store, context.settings, environment, isBrief: true) { _ in }
    self.network = network
    report = try context.settings.reportURL().map { url in
      let orders = OrderExecutor(
        store, allowed: try context.settings.allowedOrders(),
        rule: try OutboxRule(context.settings), remover: remover,
        editor: QueueEditor(store: store, clock: context.clock))
      let events = try BackgroundReport(
        ReportDelivery(store, to: url, clock: context.clock, send: network.send))
      return (events, orders)
    }
  }

  /// Starts to read the status of licences, unless the settings forbid it.
  ///
  /// - Throws: `bad-setting`, `resources-short`.
  func readLicences(beside run: FetchRun) throws {
    guard try context.settings.bool(.licenceRefresh) else { return }
    let started = try LicenceLooks(store, network, run, now: context.clock.now)
    looks.withLock { $0 = started }
  }

  /// Tells of the last steps, carries out orders, and ends the connection; a second call does nothing.
  func finish() {
    guard
      isFinished.withLock({ isFinished in
        defer { isFinished = true }
        return !isFinished
      })
    else { return }
    defer { network.close() }
    for part in [finishLooks, finishReport] {
      do {
        try part()
      } catch {
        context.messages.report(Failure(error))
      }
    }
  }

  private func finishLooks() throws {
    for outcome in try looks.withLock({ $0 })?.finish() ?? [] {
      guard context.parental.allows(outcome.episode.id) else { continue }
      let words = outcome.meaning.words.phrase(in: SystemZone())
      context.messages.note("the licence of '\(outcome.episode.id)': \(words)")
    }
  }

  private func finishReport() throws {
    guard let report else { return }
    let outcome = try report.events.finish()
    if let failure = outcome.failure, failure.code != .reportWaits {
      context.messages.note(
        "\(outcome.left) \(outcome.left == 1 ? "event stays" : "events stay") to be told by "
          + "'vmx report': \(failure.summary)")
    }
    try report.orders.perform(tell: tell)
  }

  private func tell(of order: BackendOrder, _ result: OperationResult) {
    guard context.parental.allows(row: order.episode) else {
      return context.messages.note("the backend gave an order for an episode above the limit")
    }
    if let failure = result.failure {
      context.messages.report(failure, id: order.episode)
    } else if result == .done {
      context.messages.note("'\(order.episode)': \(order.kind.rawValue), as the backend ordered")
    }
  }
}
