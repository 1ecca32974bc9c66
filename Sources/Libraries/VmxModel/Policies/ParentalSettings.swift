/// The file `pin.json` of a library: the hash of the PIN, and the settings that the PIN protects.
///
/// The file is beside the store and has mode 0600. Without it parental control is off. The seal is
/// a hash of the PIN with the other fields. A change of the limit without the PIN is therefore
/// detected when the correct PIN is entered.
package struct ParentalSettings: FieldRecord, Equatable {
  /// The fields in the order in which they are written.
  package enum Field: String, RecordField {
    case hash, seal, limit, unrated, helper, set, reset
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: ParentalSettings {
    ParentalSettings(limit: 0, unrated: .hide, set: Timestamp(seconds: 0))
  }

  /// The hash of the PIN (crypt(5)).
  package var hash = ""
  /// The hash of the PIN and `sealed`.
  package var seal = ""
  /// The highest age whose episodes are shown without the PIN.
  package var limit: Int64
  /// The treatment of episodes without a known rating.
  package var unrated: ParentalRule.Unrated
  /// The program that verifies a person, as configured when the PIN was last entered; nil for none.
  package var helper: String?
  /// The time at which the PIN or the limit was last set.
  package var set: Timestamp
  /// The time at which a PIN was set while an earlier one had not been removed with its PIN.
  package var reset: Timestamp?
  package var extra = JSONObject()

  /// Creates settings without a PIN.
  package init(limit: Int64, unrated: ParentalRule.Unrated, set: Timestamp) {
    self.limit = limit
    self.unrated = unrated
    self.set = set
  }

  /// Decodes the fields of the file.
  ///
  /// - Throws: `store-damaged` if a field has an invalid type or value, or there is no hash.
  package init(fields: JSONObject) throws(Failure) {
    let context = RecordContext(subject: "pin.json", code: .storeDamaged)
    guard let settings = try Self.decode(.object(fields) as JSONValue, in: context),
      !settings.hash.isEmpty
    else { throw Failure(.storeDamaged, "'pin.json' has no hash") }
    self = settings
  }

  /// The text that the seal protects.
  package var sealed: String {
    "\(limit) \(unrated.rawValue) \(set.milliseconds) \(reset?.milliseconds ?? 0) \(helper ?? "")"
  }

  /// Returns the rule for the current state of the lock.
  package func rule(isUnlocked: Bool) -> ParentalRule {
    ParentalRule(limit: limit, unrated: unrated, isUnlocked: isUnlocked)
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .hash: try coder.field(&hash, absent: "")
    case .seal: try coder.field(&seal, absent: "")
    case .limit: try coder.field(&limit, absent: 0)
    case .unrated: try coder.field(&unrated, absent: .hide)
    case .helper: try coder.field(&helper)
    case .set: try coder.field(&set, absent: Timestamp(seconds: 0))
    case .reset: try coder.field(&reset)
    }
  }
}
