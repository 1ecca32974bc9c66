import VmxLibrary
import VmxModel
import VmxStore

extension CleaningPlanner {
  /// Plans the removal of the episodes of a feed of which another version is ready
  /// (`vmx feed set --on-change fetch`). Those that the user keeps stay.
  ///
  /// - Throws: the errors of the store.
  func replacedSteps(
    of feed: Subscription, in snapshot: StoreSnapshot, _ present: Set<String>
  ) throws -> [CleaningStep] {
    var query = order.rules.query
    query.feed = feed.id
    query.states = [.ready]
    var steps: [CleaningStep] = []
    try snapshot.episodes(matching: query) { episode in
      let roots = episode.parts.filter(\.hasFile).compactMap(\.root)
      guard !episode.isKept, roots.allSatisfy(present.contains),
        let other = snapshot.find([.replacement(of: episode.id)]).first,
        try snapshot.episode(other)?.state == .ready
      else { return true }
      var step = CleaningStep(
        .remove, of: EpisodeSummary(episode), why: "the feed offers '\(other)' instead")
      step.bytes = ByteCount(
        clamping: episode.parts.filter(\.hasFile).compactMap { $0.size?.bytes }.clampedSum())
      step.reason = .rule
      steps.append(step)
      return true
    }
    return steps
  }
}
