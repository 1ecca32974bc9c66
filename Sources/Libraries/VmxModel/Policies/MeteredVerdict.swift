/// Whether the network is metered, and the origin of this verdict.
package struct MeteredVerdict: Sendable, Equatable {
  /// The value of a verdict.
  package enum Value: String, Sendable, CaseIterable {
    case yes, no, unknown
  }

  /// The origin of a verdict.
  package enum Origin: Sendable, Equatable {
    /// The user, through the variable, setting or configured command with this name.
    case configured(String)
    /// The system component with this name.
    case detected(String)
  }

  /// The value.
  package let value: Value
  /// The origin.
  package let origin: Origin

  /// Creates a verdict.
  package init(_ value: Value, _ origin: Origin) {
    self.value = value
    self.origin = origin
  }

  /// Whether the verdict applies to an address; unknown counts as not metered. A given verdict
  /// applies to every address, a detected one does not apply to loopback.
  package func applies(loopback isLoopback: Bool) -> Bool {
    guard value == .yes else { return false }
    if case .detected = origin { return !isLoopback }
    return true
  }

  /// The name of the origin.
  package var source: String {
    switch origin {
    case .configured(let name), .detected(let name): name
    }
  }
}
