package import VmxModel
package import VmxStore
import VmxSystem

// Events go out in the order in which they were recorded, by one process at a time. They leave the
// store when the backend has accepted them, with the orders of its answer, in one durable change. A
// process that is killed between the answer and that change sends the same message once more, with
// the same keys.

/// Tells the backend of the steps of episodes.
///
///     let delivery = ReportDelivery(store, to: url, clock: clock, send: service.send)
///     let outcome = try delivery.deliver(asksAnyway: true)
package struct ReportDelivery: Sendable {
  /// The outcome of a delivery.
  package struct Outcome: Sendable, Equatable {
    /// The number of events that the backend accepted.
    package var told = 0
    /// The number of events that are still to be told.
    package var left = 0
    /// The failure for which they stay; nil if there are none, or if another process tells them.
    package var failure: Failure?
    /// Whether another process is telling them.
    package var isBusy = false
    /// The number of lines of answers that look like orders and cannot be understood.
    package var unread = 0

    /// Creates the outcome of a delivery of nothing.
    package init() {}
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let limit: Int
  private let url: String
  private let send: ServiceSending
  private let tell: @Sendable (OutboxEvent, OperationResult) throws -> Void

  /// Creates a delivery.
  ///
  /// - Parameters:
  ///   - url: the address of the backend.
  ///   - limit: the number of events beyond which they are shortened to a summary.
  ///   - send: sends a message.
  ///   - tell: called with each event that the backend accepted or refused for good.
  package init(
    _ store: LibraryStore, to url: String, clock: any WallClock,
    limit: Int = LibraryStore.mostEvents,
    send: @escaping ServiceSending,
    tell: @escaping @Sendable (OutboxEvent, OperationResult) throws -> Void = { _, _ in }
  ) {
    self.store = store
    self.clock = clock
    self.url = url
    self.limit = limit
    self.send = send
    self.tell = tell
  }

  /// Delivers what there is.
  ///
  /// - Parameters:
  ///   - asksAnyway: whether also within the pause after failures. The time for which the server itself
  ///     asked to wait always counts.
  ///   - goesOn: whether another message may be sent; asked before each.
  /// - Throws: `WorkEnded.interrupted`; errors of the store and of `tell`.
  package func deliver(
    asksAnyway: Bool = false, while goesOn: () -> Bool = { true }
  ) throws -> Outcome {
    var outcome = Outcome()
    guard try !store.snapshot().outbox(of: .report).isEmpty else { return outcome }
    guard let lock = try store.tryJob(.outbox) else {
      outcome.isBusy = true
      outcome.left = try store.snapshot().outbox(of: .report).count
      return outcome
    }
    defer { lock.release() }
    var events = try store.shortenedOutbox(of: .report, limit: limit)[...]
    var size = ReportMessage.mostEvents
    while !events.isEmpty {
      outcome.left = events.count
      guard goesOn() else { return outcome }
      if let failure = try pause(asksAnyway: asksAnyway) {
        outcome.failure = failure
        return outcome
      }
      let message = ReportMessage(Array(events.prefix(size)))
      switch try verdict(on: message) {
      case .accepted(let orders):
        try conclude(message.events, .done, orders: orders.orders)
        outcome.told += message.events.count
        outcome.unread += orders.unread
        events = events.dropFirst(message.events.count)
        size = ReportMessage.mostEvents
      case .refused(let failure):
        // One event may spoil the message: the others are told without it.
        if message.events.count > 1 {
          size = message.events.count / 2
          continue
        }
        try conclude(message.events, .failed(failure), orders: [])
        events = events.dropFirst()
        size = ReportMessage.mostEvents
      case .later(let failure, let asked):
        try recordFailure(asked: asked)
        outcome.failure = failure
        return outcome
      }
    }
    outcome.left = 0
    return outcome
  }

  /// The failure of a backend that is not to be asked yet.
  private func pause(asksAnyway: Bool) throws -> Failure? {
    let state = try store.snapshot().reportState
    guard let until = state.until, until > clock.now, !asksAnyway || state.isAsked
    else { return nil }
    return Failure(
      .reportWaits, "the backend is asked again at \(SystemZone().text(of: until))",
      hint: state.isAsked
        ? "the server asked for this pause" : "'vmx report' asks at once", retryAt: until)
  }

  private enum Verdict {
    case accepted(ReceivedOrders)
    case refused(Failure)
    case later(Failure, asked: Int64?)
  }

  private func verdict(on message: ReportMessage) throws -> Verdict {
    let answer: ServiceAnswer
    do {
      answer = try send(message.request(to: url))
    } catch {
      if error.isInterruption { throw error }
      return .later(Failure(error), asked: nil)
    }
    switch answer.status {
    case 200..<300: return .accepted(ReceivedOrders(answer.bytes, key: message.key))
    case 400, 413, 422:
      return .refused(
        Failure(.reportRefused, "the backend refuses the event, with status \(answer.status)"))
    case 401, 403, 407:
      return .later(
        Failure(.httpDenied, "the backend refuses the credentials, with status \(answer.status)"),
        asked: answer.retryAfter)
    default:
      return .later(
        Failure(.reportFailed, "the backend answers with status \(answer.status)"),
        asked: answer.retryAfter)
    }
  }

  private func conclude(
    _ events: [OutboxEvent], _ result: OperationResult, orders: [BackendOrder]
  ) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      for event in events { transaction.delete(.outbox, event.id) }
      for order in orders { transaction.put(order.record) }
      var state = ReportState()
      state.told = transaction.now
      transaction.put(state.record)
    }
    for event in events { try tell(event, result) }
  }

  private func recordFailure(asked: Int64?) throws {
    try store.update(.soon, room: .useReserve) { transaction in
      var state = ReportState(transaction.record(.outbox, OutboxBackend.report.rawValue))
      state.fail(asked: asked, now: transaction.now)
      transaction.put(state.record)
    }
  }
}
