package import VmxModel

/// The fields of the state of parental control in listings.
package enum LockField: String, ListingField {
  case state, limit, unrated, until, failures
  case retryIn = "retry_in_ms"
  case set, reset, helper, outcome

  package static let defaultFields: [LockField] = [
    .state, .limit, .unrated, .until, .failures, .retryIn,
  ]

  package var column: Column {
    switch self {
    case .limit, .failures: Column(heading, .right)
    case .retryIn: Column("NEXT TRY", .right)
    case .helper: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// The state of parental control, as a row.
package struct LockRow: ListingRow, Sendable, Equatable {
  /// The states of parental control.
  package enum State: String, Sendable, CaseIterable {
    /// No PIN has been set.
    case off
    /// Episodes above the limit are hidden.
    case on
    /// The PIN was entered, and everything is shown for a limited time.
    case unlocked
    /// A PIN had been set, and its file was removed without the PIN.
    case removed
  }

  /// The state.
  package let state: State
  /// The highest age rating whose episodes are shown; nil if no PIN is set.
  package var limit: Int64?
  /// The treatment of episodes without a known rating.
  package var unrated: ParentalRule.Unrated?
  /// The time until which the login session stays unlocked; nil if it is not unlocked.
  package var until: Timestamp?
  /// The number of consecutive wrong PINs.
  package var failures: Int64 = 0
  /// The number of milliseconds until the next PIN may be entered.
  package var wait: Int64 = 0
  /// The time at which the PIN or the limit was set.
  package var set: Timestamp?
  /// The time at which a PIN was set again after its file had been removed without the PIN.
  package var reset: Timestamp?
  /// The program that authenticates a person.
  package var helper: String?
  /// Whether the state is that of a dry run, which a request would lead to.
  package var isPlanned = false
  private let now: Timestamp

  package var id: String { "lock" }
  package var kind: RowKind? { .lock }

  /// Creates the row of a state.
  package init(_ state: State, now: Timestamp) {
    self.state = state
    self.now = now
  }

  package func cell(_ field: LockField) -> Cell {
    switch field {
    case .state:
      Cell(
        state.rawValue, [.on: .success, .unlocked: .warning, .removed: .failure][state] ?? .plain)
    case .until: Cell(relativeTime(until))
    case .set: Cell(relativeTime(set))
    case .reset: Cell(relativeTime(reset))
    case .failures: Cell(failures == 0 ? "" : "\(failures)")
    case .retryIn: Cell(wait == 0 ? "" : "in \(DurationText.text(of: seconds * 1000))")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: LockField) -> String {
    switch field {
    case .state: state.rawValue
    case .limit: limit.map { "\($0)" } ?? ""
    case .unrated: unrated?.rawValue ?? ""
    case .until: until?.text ?? ""
    case .failures: state == .off ? "" : "\(failures)"
    case .retryIn: wait == 0 ? "" : "\(wait)"
    case .set: set?.text ?? ""
    case .reset: reset?.text ?? ""
    case .helper: helper ?? ""
    case .outcome: isPlanned ? OperationResult.planned.name : ""
    }
  }

  package func json(_ field: LockField) -> JSONValue? {
    switch field {
    case .limit: limit.map { .integer($0) }
    case .failures: state == .off ? nil : .integer(failures)
    case .retryIn: wait == 0 ? nil : .integer(wait)
    default: exact(field).isEmpty ? nil : .string(exact(field))
    }
  }

  private var seconds: Int64 { (wait + 999) / 1000 }

  private func relativeTime(_ time: Timestamp?) -> String {
    time.map { TimeText.relative($0, to: now) } ?? ""
  }
}
