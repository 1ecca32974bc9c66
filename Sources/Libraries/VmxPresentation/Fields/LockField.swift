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
    case .helper: FieldKey(.text, "The program that verifies a person", fitting: .end)
    case .outcome: .planned
    }
  }
}
