/// A number with the noun that it counts, for sentences to the user.
package enum CountText {
  /// Returns `1 mark` or `2 marks`; nil for 0.
  package static func text(_ count: Int, _ noun: String) -> String? {
    count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
