package import VmxModel

/// The fields of the state of parental control in listings.
package enum LockField: String, ListingField {
  case state, limit, unrated, until, failures
  case retryIn = "retry_in_ms"
  case set, reset, helper, outcome

  package static let defaultFields: [LockField] = [
    .state, .limit, .unrated, .until, .failures, .retryIn,
  ]

  package var key: FieldKey {
    switch self {
    case .state: FieldKey(.word, "off, on, unlocked or removed")
    case .limit: FieldKey(.number, "The highest age that is shown, in years")
    case .unrated: FieldKey(.word, "Whether unrated episodes are hidden: hide or show")
    case .until: FieldKey(.time, "The time when this login session is locked again")
    case .failures: FieldKey(.number, "The number of consecutive wrong PINs")
    case .retryIn:
      FieldKey(.milliseconds, "The time until the next attempt is allowed", heading: "NEXT TRY")
    case .set: FieldKey(.time, "The time when the PIN or the limit was set")
    case .reset:
      FieldKey(.time, "The time when it was set after removal of an earlier PIN's file")
    case .helper: FieldKey(.text, "The program that verifies a person", .end)
    case .outcome: .planned
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

  package func value(_ field: LockField) -> RowValue {
    switch field {
    case .state: .word(state.rawValue, style)
    case .limit: .number(limit)
    case .unrated: .word(unrated?.rawValue)
    case .until: .time(until, relativeTo: now)
    case .failures:
      .number(state == .off ? nil : failures).shown(Cell(failures == 0 ? "" : "\(failures)"))
    case .retryIn:
      .duration(wait == 0 ? nil : wait).shown(
        Cell(wait == 0 ? "" : "in \(DurationText.text(of: (wait + 999) / 1000 * 1000))"))
    case .set: .time(set, relativeTo: now)
    case .reset: .time(reset, relativeTo: now)
    case .helper: .text(nonEmpty: helper)
    case .outcome: .word(isPlanned ? OperationResult.planned.name : nil)
    }
  }

  private var style: TextStyle {
    switch state {
    case .off: .plain
    case .on: .success
    case .unlocked: .warning
    case .removed: .failure
    }
  }
}
