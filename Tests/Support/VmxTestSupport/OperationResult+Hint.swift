package import VmxModel

extension OperationResult {
  /// The next step for the user; nil if there is none.
  package var hint: String? {
    if case .unchanged(_, let hint) = self { hint } else { failure?.hint }
  }
}
