import VmxModel
import VmxPresentation

/// The state of parental control, as a row.
struct LockRow: ListingRow, Sendable, Equatable {
  /// The states of parental control.
  enum State: String, Sendable, CaseIterable {
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
  let state: State
  /// The highest age rating whose episodes are shown; nil if no PIN is set.
  var limit: Int64?
  /// The treatment of episodes without a known rating.
  var unrated: ParentalRule.Unrated?
  /// The time until which the login session stays unlocked; nil if it is not unlocked.
  var until: Timestamp?
  /// The number of consecutive wrong PINs.
  var failures: Int64 = 0
  /// The number of milliseconds until the next PIN may be entered.
  var wait: Int64 = 0
  /// The time at which the PIN or the limit was set.
  var set: Timestamp?
  /// The time at which a PIN was set again after its file had been removed without the PIN.
  var reset: Timestamp?
  /// The program that authenticates a person.
  var helper: String?
  /// Whether the state is that of a dry run, which a request would lead to.
  var isPlanned = false
  private let now: Timestamp

  var id: String { "lock" }
  var kind: RowKind? { .lock }

  /// Creates the row of a state.
  init(_ state: State, now: Timestamp) {
    self.state = state
    self.now = now
  }

  func value(_ field: LockField) -> RowValue {
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
