package import VmxModel
package import VmxStore
import VmxSystem

// One process at a time sends events, in the order in which they were recorded. When the backend
// has accepted them, one durable transaction deletes them and records the orders of the response.
// If this process is killed between response and transaction, the same message is sent again with
// the same keys.
//
// A message is refused as a whole, so it is halved until the invalid event is isolated and dropped.
// The next messages then grow from one event. After ten refused events in succession, in this run
// or in earlier ones, the cause is not the events: none is dropped any more, and each further
// attempt sends one event, a different one each time, until the backend accepts one.

/// Sends the events of episodes to the backend.
///
///     let delivery = ReportDelivery(store, to: url, clock: clock, send: service.send)
///     let outcome = try delivery.deliver(ignoresRetryAfter: true)
package struct ReportDelivery: Sendable {
  /// The outcome of a delivery.
  package struct Outcome: Sendable, Equatable {
    /// The number of events that the backend accepted.
    package var delivered = 0
    /// The number of events that are still to be sent.
    package var pending = 0
    /// The failure that stopped the delivery; nil if all events were sent, or if another process
    /// sends them.
    package var failure: Failure?
    /// Whether another process is sending the events.
    package var isBusy = false

    /// Creates the outcome of an empty delivery.
    package init() {}
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let limit: Int
  private let url: String
  private let send: HTTPSending
  private let report: @Sendable (OutboxEvent, OperationResult) throws -> Void

  /// Creates a delivery.
  ///
  /// - Parameters:
  ///   - url: the address of the backend.
  ///   - limit: the maximum number of events, beyond which they are summarised.
  ///   - send: sends a message.
  ///   - report: called with each event that the backend accepted, and with each dropped event.
  package init(
    _ store: LibraryStore, to url: String, clock: any WallClock,
    limit: Int = LibraryStore.maxEvents,
    send: @escaping HTTPSending,
    report: @escaping @Sendable (OutboxEvent, OperationResult) throws -> Void = { _, _ in }
  ) {
    self.store = store
    self.clock = clock
    self.url = url
    self.limit = limit
    self.send = send
    self.report = report
  }

  /// Sends all recorded events.
  ///
  /// - Parameters:
  ///   - ignoresRetryAfter: whether to override the back-off after failures. A wait requested by
  ///     the server is always honoured.
  ///   - shouldContinue: returns whether another message may be sent; called before each message.
  /// - Throws: `WorkEnded.interrupted`; store errors and the errors of `report`.
  package func deliver(
    ignoresRetryAfter: Bool = false, while shouldContinue: () -> Bool = { true }
  ) throws -> Outcome {
    var outcome = Outcome()
    guard try !store.snapshot().outbox(of: .report).isEmpty else { return outcome }
    guard let lock = try store.tryJob(.outbox) else {
      outcome.isBusy = true
      outcome.pending = try store.snapshot().outbox(of: .report).count
      return outcome
    }
    defer { lock.release() }
    var events = try store.shortenedOutbox(of: .report, limit: limit)
    var size = MessageSize(try store.snapshot().reportState)
    while !events.isEmpty {
      outcome.pending = events.count
      guard shouldContinue() else { return outcome }
      outcome.failure = try pause(ignoresRetryAfter: ignoresRetryAfter)
      guard outcome.failure == nil else { return outcome }
      let range = size.range(in: events)
      let message = ReportMessage(Array(events[range]))
      switch try verdict(on: message) {
      case .accepted(let instructions):
        try accept(message.events, instructions)
        outcome.delivered += message.events.count
        events.removeSubrange(range)
        size.accept()
      case .refused(let status):
        size.refuse(message.events.count)
        guard message.events.count == 1 else { continue }
        let (state, isDropped) = try refuse(message.events[0], status: status)
        if isDropped { events.removeSubrange(range) }
        outcome.pending = events.count
        guard state.isRefusingAll, !events.isEmpty else { continue }
        outcome.failure = Self.refusal(of: state.refused)
        return outcome
      case .later(let failure, let asked):
        try recordFailure(asked: asked)
        outcome.failure = failure
        return outcome
      }
    }
    outcome.pending = 0
    return outcome
  }

  private static func refusal(of count: Int64) -> Failure {
    Failure(
      .reportFailed, "the backend refused \(count) events in succession",
      hint: "check 'report.url'; the remaining events stay recorded")
  }

  /// Returns the failure if the back-off has not expired, else nil.
  private func pause(ignoresRetryAfter: Bool) throws -> Failure? {
    let state = try store.snapshot().reportState
    guard let until = state.until, until > clock.now, !ignoresRetryAfter || state.isRequested
    else { return nil }
    return Failure(
      .reportWaits, "the next attempt at the backend is at \(until.text)",
      hint: state.isRequested
        ? "wait; the server requested this pause" : "run 'vmx report' to retry now", retryAt: until)
  }

  private enum Verdict {
    case accepted(ReceivedInstructions)
    case refused(status: Int)
    case later(Failure, asked: Int64?)
  }

  private func verdict(on message: ReportMessage) throws -> Verdict {
    let answer: HTTPResponse
    do {
      answer = try send(message.request(to: url))
    } catch {
      if error.isInterruption { throw error }
      return .later(Failure(error), asked: nil)
    }
    switch answer.status {
    case 200..<300: return .accepted(ReceivedInstructions(answer.bytes, key: message.key))
    case 400, 413, 422: return .refused(status: answer.status)
    case 401, 403, 407:
      return .later(
        Failure(.httpDenied, "the backend refused the credentials with status \(answer.status)"),
        asked: answer.retryAfter)
    default:
      return .later(
        Failure(.reportFailed, "the backend responded with status \(answer.status)"),
        asked: answer.retryAfter)
    }
  }

  private func accept(_ events: [OutboxEvent], _ received: ReceivedInstructions) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      for event in events { transaction.delete(.outbox, event.id) }
      for instruction in received.instructions { transaction.write(instruction.stored) }
      for instruction in received.invalid { transaction.write(instruction.record) }
      // Without a record there are no failures.
      transaction.delete(.outbox, ReportState.id)
    }
    for event in events { try report(event, .done) }
  }

  /// Counts a refused event, and drops it unless the backend refuses every event.
  private func refuse(
    _ event: OutboxEvent, status: Int
  ) throws -> (state: ReportState, isDropped: Bool) {
    let (state, isDropped) = try store.update(.durable, room: .useReserve) { transaction in
      var state = ReportState(transaction.record(.outbox, ReportState.id))
      let isDropped = !state.isRefusingAll
      if isDropped { transaction.delete(.outbox, event.id) }
      state.refuse(event, now: transaction.now)
      transaction.write(state.stored)
      return (state, isDropped)
    }
    guard isDropped else { return (state, false) }
    let failure = Failure(
      .reportRefused,
      "the backend refused the event '\(event.step.rawValue)' with status \(status)")
    try report(event, .failed(failure))
    return (state, true)
  }

  private func recordFailure(asked: Int64?) throws {
    try store.update(.soon, room: .useReserve) { transaction in
      var state = ReportState(transaction.record(.outbox, ReportState.id))
      state.fail(asked: asked, now: transaction.now)
      transaction.write(state.stored)
    }
  }
}
