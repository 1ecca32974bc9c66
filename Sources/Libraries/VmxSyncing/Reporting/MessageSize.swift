import VmxModel

/// The number of events in the next message, as the earlier responses require.
struct MessageSize {
  private var events = ReportMessage.maxEvents
  /// The place of the event after which the next message begins; nil for the first event.
  private var start: Int64?

  /// Creates the size of the first message of a run: one event if the backend refuses every event.
  init(_ state: ReportState) {
    guard state.isRefusingAll else { return }
    events = 1
    start = state.tried
  }

  /// Returns the indices of the events of the next message.
  func range(in pending: [OutboxEvent]) -> Range<Int> {
    let first = start.flatMap { start in pending.firstIndex { ($0.place ?? 0) > start } } ?? 0
    return first..<min(first + events, pending.count)
  }

  /// Doubles the size after an accepted message, and continues with the first event.
  mutating func accept() {
    events = min(2 * events, ReportMessage.maxEvents)
    start = nil
  }

  /// Halves the size after a refused message.
  mutating func refuse(_ count: Int) {
    events = max(1, count / 2)
  }
}
