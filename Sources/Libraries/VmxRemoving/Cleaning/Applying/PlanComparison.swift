package import VmxModel

/// Compares the rows of a plan with the steps that a plan made now would contain.
package struct PlanComparison: Sendable {
  private let fresh: [CleaningStep.Key: CleaningStep]

  /// - Parameter fresh: the steps of a plan made now, with files without a record moved to the
  ///   trash.
  package init(_ fresh: [CleaningStep]) {
    self.fresh = Dictionary(fresh.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the failure of a step that a plan made now would not contain; nil if the step may be
  /// executed.
  ///
  /// Removals by rule and purges of the trash are the user's choice. For those, only the record or
  /// the trash entry is checked, when they are executed.
  package func refusal(of step: CleaningStep) -> Failure? {
    switch step.kind {
    case .remove, .purgeTrash, .unknownFile, .reachRoot: return nil
    case .unreadable: return fresh[step.key]?.failure
    default:
      guard let now = fresh[step.key] else {
        return step.changed("nothing leads to it any longer")
      }
      return step.isSame(as: now) ? nil : step.changed("it has changed")
    }
  }
}
