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

extension ReportState: LenientRecord {
  /// The fields of the record.
  package enum Field: String, RecordField { case failures, until, asked, refused, tried }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: ReportState { ReportState() }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .failures:
      try coder.field(&failures, omitting: 0)
      failures = max(0, failures)
    case .until: try coder.field(&until)
    case .asked: try coder.field(&isRequested, omitting: false)
    case .refused:
      try coder.field(&refused, omitting: 0)
      refused = max(0, refused)
    case .tried: try coder.field(&tried)
    }
  }

  init(_ record: StoredRecord?) {
    self = record.flatMap { ReportState(reading: $0.fields) } ?? ReportState()
  }

  var stored: StoredRecord { StoredRecord(kind: .outbox, id: Self.id, fields: record) }
}

extension StoreSnapshot {
  /// Returns the state of the connection to the backend.
  package var reportState: ReportState { ReportState(record(.outbox, ReportState.id)) }
}
