package import VmxModel

/// The record in the store that a PIN is set. It reveals that the PIN file was removed without the
/// PIN.
package struct LockMark: Sendable, Equatable {
  /// The id of the only record of its kind.
  package static let id = "parental"

  /// Whether a PIN is set.
  package let isEnabled: Bool
  /// The time of the last change of `isEnabled`.
  package let at: Timestamp
  /// The time at which a PIN was set after its file had been removed without it.
  package let reset: Timestamp?

  /// Creates a mark.
  package init(isEnabled: Bool, at: Timestamp, reset: Timestamp?) {
    self.isEnabled = isEnabled
    self.at = at
    self.reset = reset
  }

  /// Decodes the fields of the record; a missing or malformed `on` counts as true.
  package init(_ fields: JSONObject) {
    isEnabled = fields["on"]?.bool ?? true
    at = fields["set"]?.string.flatMap { Timestamp($0) } ?? Timestamp(seconds: 0)
    reset = fields["reset"]?.string.flatMap { Timestamp($0) }
  }

  /// The fields of the record.
  package var fields: JSONObject {
    var object = JSONObject(distinct: [("on", .bool(isEnabled)), ("set", .string(at.text))])
    object.append("reset", reset?.text)
    return object
  }
}
