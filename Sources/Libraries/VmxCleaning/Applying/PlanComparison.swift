package import VmxModel

/// The rows of a plan, compared with what would be planned now.
package struct PlanComparison: Sendable {
  private let fresh: [CleaningStep.Key: CleaningStep]

  /// - Parameter fresh: the steps of a look that was just taken, files that nobody knows to go to
  ///   the trash.
  package init(_ fresh: [CleaningStep]) {
    self.fresh = Dictionary(fresh.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The failure of a step that nothing would lead to now; nil for one that may be done.
  ///
  /// Removals by rule, and what leaves the trash, are the person's choice: for those only the
  /// record, or the entry, counts, when they are done.
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
