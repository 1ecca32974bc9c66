import VmxLibrary
import VmxModel
import VmxStore

/// Plans the steps by which episodes leave the library: interrupted removals are completed, and
/// expired episodes are removed. `vmx clean` and the work at login share these rules.
struct RemovalPlan {
  /// The UUIDs of the reachable roots.
  let present: Set<String>

  /// Whether all roots that hold files of an episode are reachable.
  func isReachable(_ summary: EpisodeSummary) -> Bool {
    summary.parts.allSatisfy { $0.path == nil || $0.root.map(present.contains) ?? true }
  }

  /// Returns the completion of a removal that has begun; nil if a root is unreachable.
  func completion(of summary: EpisodeSummary) -> CleaningStep? {
    guard isReachable(summary) else { return nil }
    let isRequested = summary.want == .fetch || summary.want == .hold
    return CleaningStep(
      of: summary,
      explanation: isRequested
        ? "it was requested again during its removal" : "its removal was interrupted",
      CleaningAction.finishRemoval)
  }

  /// Returns the removal of an episode that may no longer be watched; nil if a root is unreachable.
  func removal(ofExpired summary: EpisodeSummary) -> CleaningStep? {
    guard isReachable(summary) else { return nil }
    let day = summary.expires.map { String($0.text.prefix(10)) } ?? ""
    return CleaningStep(expiring: summary, "it expired on \(day)")
  }

  /// Returns steps for removals whose files are removed but whose end was not recorded.
  ///
  /// - Parameters:
  ///   - entries: the open journal entries by episode.
  ///   - leaving: the episodes whose removal has not ended.
  func completionSteps(
    of entries: [EpisodeID: JournalEntry], except leaving: Set<EpisodeID>
  ) -> [CleaningStep] {
    entries.compactMap { id, entry in
      guard !leaving.contains(id), entry.rootsBefore.isSubset(of: present) else { return nil }
      return CleaningStep(
        .finishRemoval(EpisodeRevision(id, rev: nil)),
        explanation: "the end of its removal was not recorded")
    }
    .sorted { $0.id < $1.id }
  }

  /// Returns steps for files of no episode whose move into the trash has begun but was not recorded
  /// as done.
  ///
  /// - Parameter entries: the open journal entries of such files.
  func completionSteps(of entries: [JournalEntry]) -> [CleaningStep] {
    entries.compactMap { entry in
      guard entry.roots.allSatisfy(present.contains) else { return nil }
      return CleaningStep(
        .finishDiscard(entry: entry.id), explanation: "the end of its removal was not recorded")
    }
  }
}

extension EpisodeSummary {
  /// Whether its removal has begun and not ended.
  var isBeingRemoved: Bool { parts.contains(where: \.isBeingRemoved) }

  /// The time from which its files are to be removed because it may no longer be watched; nil for
  /// never, and if it has no file.
  ///
  /// - Parameter grace: the setting `licence.grace` in milliseconds.
  func endOfFiles(grace: Int64) -> Timestamp? {
    parts.contains { $0.path != nil && $0.state != .removed } ? removalTime(grace: grace) : nil
  }
}

extension CleaningStep {
  /// Creates the removal of an episode that may no longer be watched.
  ///
  /// - Parameter usual: the reason for an episode without a licence.
  fileprivate init(expiring summary: EpisodeSummary, _ usual: String) {
    let reason = summary.licence?.removalReason
    let explanation =
      switch reason {
      case .revoked: "the provider has withdrawn its licence"
      case .returned: "its licence was returned"
      case .expired: "its licence and licence.grace have ended"
      default: usual
      }
    self.init(of: summary, explanation: explanation) { .expire($0, reason) }
  }
}
