import Synchronization
import VmxCommand
import VmxDigest
import VmxFetching
import VmxModel
import VmxQueueing
import VmxRemoving
import VmxReporting
import VmxStore
import VmxSystem

/// Tells the backend of the steps of episodes beside the transfers, and carries out its orders behind
/// them. It fails no fetch: what cannot be told stays recorded.
final class FetchReport: Sendable {
  private let report: BackgroundReport
  private let network: LicenceNetwork
  private let executor: OrderExecutor
  private let context: CommandContext
  private let isFinished = Mutex(false)

  /// Starts the deliveries; nil if the settings name no backend.
  ///
  /// - Throws: `bad-setting`, `resources-short`.
  init?(
    _ store: LibraryStore, _ remover: EpisodeRemover, _ environment: FetchEnvironment,
    in context: CommandContext
  ) throws {
    guard let url = try context.settings.reportURL() else { return nil }
    self.context = context
    network = try LicenceNetwork(store, context.settings, environment, isBrief: true) { _ in }
    executor = OrderExecutor(
      store, allowed: try context.settings.allowedOrders(), rule: try OutboxRule(context.settings),
      remover: remover,
      editor: QueueEditor(
        store: store, clock: context.clock,
        digest: { try withFile($0) { try FileDigest.of($0).whole } }))
    report = try BackgroundReport(
      ReportDelivery(store, to: url, clock: context.clock, send: network.send))
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
    do {
      let outcome = try report.finish()
      if let failure = outcome.failure, failure.code != .reportWaits {
        context.messages.note(
          "\(outcome.left) \(outcome.left == 1 ? "event stays" : "events stay") to be told by "
            + "'vmx report': \(failure.summary)")
      }
      try executor.perform(tell: tell)
    } catch {
      context.messages.report(Failure(error))
    }
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
