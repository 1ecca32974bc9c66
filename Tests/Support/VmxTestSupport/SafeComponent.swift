/// The check of names that `SafeName` returns.
package enum SafeComponent {
  /// Whether a name has the properties that every component must have.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else {
      return false
    }
    let refused = "/\\:*?\"<>|".unicodeScalars
    return !" .-".unicodeScalars.contains(first) && !" .".unicodeScalars.contains(last)
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !refused.contains($0) }
  }
}
