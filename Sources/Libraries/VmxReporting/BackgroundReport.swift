package import VmxModel
package import VmxSystem

/// Tells the backend of steps while other work goes on, on a thread of its own.
///
///     let report = try BackgroundReport(delivery)
///     defer { report.finish() }
package final class BackgroundReport: Sendable {
  /// Milliseconds between two deliveries.
  private static let interval: Int64 = 10_000
  /// Milliseconds for which the end of the other work waits for new messages to be sent.
  private static let patience: Int64 = 2000

  private struct State: Sendable {
    /// When the last message may be begun; nil while the other work goes on.
    var end: Deadline?
    var outcome = ReportDelivery.Outcome()
    var failure: Failure?
  }

  private let state = Monitor(State())
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(_ delivery: ReportDelivery) throws(ProcessError) {
    thread = try WorkerThread.start("vmx-report") { [state] in
      var isLast = false
      repeat {
        isLast = state.withLock { $0.end != nil }
        Self.deliver(delivery, state)
        if !isLast { _ = state.wait(milliseconds: Self.interval) { $0.end != nil } }
      } while !isLast
    }
  }

  private static func deliver(_ delivery: ReportDelivery, _ state: Monitor<State>) {
    do {
      let outcome = try delivery.deliver(while: { state.withLock { $0.end?.isPast != true } })
      state.withLock { state in
        state.outcome.told += outcome.told
        state.outcome.unread += outcome.unread
        state.outcome.left = outcome.left
        // The pause that follows a failure tells nothing new.
        if outcome.failure?.code != .reportWaits { state.outcome.failure = outcome.failure }
        state.failure = nil
      }
    } catch {
      state.withLock { $0.failure = error.isInterruption ? nil : Failure(error) }
    }
  }

  /// Tells of the last steps and ends the thread. Events that cannot be told now stay recorded.
  ///
  /// - Returns: what all deliveries came to.
  /// - Throws: the failure of the store that ended the last delivery.
  package func finish() throws(Failure) -> ReportDelivery.Outcome {
    state.withLock { $0.end = Deadline(milliseconds: Self.patience) }
    thread.join()
    let (outcome, failure) = state.withLock { ($0.outcome, $0.failure) }
    if let failure { throw failure }
    return outcome
  }
}
