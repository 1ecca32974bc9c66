import VmxModel

/// Which episodes are to be ready before another; never a circle.
extension Episode {
  /// Lets it wait for other episodes too; without any, for none any longer.
  ///
  /// - Throws: `no-such-episode`, `after-cycle`, and what looking others up throws.
  mutating func wait(
    for ids: [EpisodeID], among others: any EpisodeLookup
  ) throws {
    if ids.isEmpty { after = [] }
    for id in ids {
      guard let other = try others.episode(id) else {
        throw Failure.noSuchEpisode(id)
      }
      guard try !other.id.comes(after: self.id, among: others) else {
        throw Failure(
          .afterCycle, "'\(other.id)' would wait for '\(self.id)' and that for it",
          hint: "'vmx queue after \(other.id) --none' takes back what it comes after")
      }
      if !after.contains(other.id) { after.append(other.id) }
    }
  }
}

extension EpisodeID {
  /// Whether it is that of the other episode, or of one that waits for it in however many steps.
  fileprivate func comes(
    after goal: EpisodeID, among others: any EpisodeLookup
  ) throws -> Bool {
    var seen: Set<EpisodeID> = [self]
    var open = [self]
    while let next = open.popLast() {
      if next == goal { return true }
      for id in try others.episode(next)?.after ?? [] {
        let id = try others.episode(id)?.id ?? id
        if seen.insert(id).inserted { open.append(id) }
      }
    }
    return false
  }
}
