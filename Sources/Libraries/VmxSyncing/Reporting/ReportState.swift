package import VmxModel
package import VmxStore

/// The record of the connection to the backend, with its back-off.
package struct ReportState: Sendable, Equatable {
  /// The id of the record.
  static let id = OutboxBackend.report.rawValue
  private static let firstPause: Int64 = 60_000
  private static let maxBackoff: Int64 = 6 * 3_600_000
  /// A longer Retry-After of the server is reduced to one day.
  private static let maxRetryAfter: Int64 = 24 * 3_600_000
  /// The number of events refused in succession after which the cause is not the events.
  private static let maxRefusals: Int64 = 10

  /// The number of failures since the last successful message.
  package var failures: Int64 = 0
  /// The time before which no message is sent; nil for none.
  package var until: Timestamp?
  /// Whether the server requested the wait (`Retry-After`).
  package var isRequested = false
  /// The number of single events that the backend refused since the last accepted message.
  package var refused: Int64 = 0
  /// The place of the last event that was refused and kept; nil for none.
  package var tried: Int64?

  /// Creates the state of a backend without any message.
  package init() {}

  /// Whether the backend has refused so many events that no further one is dropped.
  var isRefusingAll: Bool { refused >= Self.maxRefusals }

  /// Counts a refused event. If the backend refuses every event, the back-off begins.
  mutating func refuse(_ event: OutboxEvent, now: Timestamp) {
    if isRefusingAll { tried = event.place }
    refused = refused.addingClamped(1)
    if isRefusingAll { fail(asked: nil, now: now) }
  }

  /// Records a failure. The back-off doubles from one minute to six hours.
  ///
  /// - Parameter asked: the wait in milliseconds that the server requested; nil for none.
  mutating func fail(asked: Int64?, now: Timestamp) {
    let doubled = Self.firstPause << min(failures, 20)
    let pause = asked.map { min(max($0, 0), Self.maxRetryAfter) } ?? min(doubled, Self.maxBackoff)
    failures = failures.addingClamped(1)
    isRequested = asked != nil
    until = now.adding(milliseconds: pause)
  }
}

extension ReportState {
  init(_ record: StoredRecord?) {
    guard let fields = record?.fields else { return }
    failures = max(0, fields["failures"]?.integer ?? 0)
    until = fields["until"]?.string.flatMap { Timestamp($0) }
    isRequested = fields["asked"]?.bool ?? false
    refused = max(0, fields["refused"]?.integer ?? 0)
    tried = fields["tried"]?.integer
  }

  var record: StoredRecord {
    var fields = JSONObject()
    if failures > 0 { fields.append("failures", .integer(failures)) }
    fields.append("until", until?.text)
    fields.append("asked", isRequested ? true : nil)
    if refused > 0 { fields.append("refused", .integer(refused)) }
    fields.append("tried", tried.map { .integer($0) })
    return StoredRecord(kind: .outbox, id: Self.id, fields: fields)
  }
}

extension StoreSnapshot {
  /// Returns the state of the connection to the backend.
  package var reportState: ReportState { ReportState(record(.outbox, ReportState.id)) }
}
