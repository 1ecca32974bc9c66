import VmxLibrary
import VmxModel
import VmxStore

extension CleaningPlanner {
  /// Plans the removal of the episodes of a feed of which another version is ready
  /// (`vmx feed set --on-change fetch`). Those that the user keeps stay, and so does each whose
  /// other version cannot be seen now.
  ///
  /// - Throws: the errors of the store.
  func replacedSteps(
    of feed: Subscription, in snapshot: StoreSnapshot, _ present: Set<String>
  ) throws -> [CleaningStep] {
    var query = options.rules.query
    query.feed = feed.id
    query.states = [.ready]
    var steps: [CleaningStep] = []
    try snapshot.episodes(matching: query) { episode in
      func isPresent(_ episode: Episode) -> Bool {
        episode.parts.filter(\.hasFile).compactMap(\.root).allSatisfy(present.contains)
      }
      guard !episode.isKept, isPresent(episode),
        let id = snapshot.find([.replacement(of: episode.id)]).first,
        let other = try snapshot.episode(id), other.state == .ready, isPresent(other)
      else { return true }
      let sizes = episode.parts.filter(\.hasFile).compactMap { $0.size?.bytes }
      steps.append(
        CleaningStep(
          .remove(EpisodeRevision(episode.id, rev: episode.rev), .rule, isPermanent: false),
          explanation: "the feed offers '\(other.id)' instead",
          bytes: ByteCount(clamping: sizes.clampedSum())))
      return true
    }
    return steps
  }
}
