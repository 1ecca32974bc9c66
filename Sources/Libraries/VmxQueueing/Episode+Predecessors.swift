import VmxModel
import VmxStore

/// The episodes that must be ready before another one. The relation never has a cycle.
extension Episode {
  /// Adds predecessors to the episode; an empty list removes all of them.
  ///
  /// - Throws: `no-such-episode`, `after-cycle`, and errors of the lookup.
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
  /// Whether the id equals `goal`, or its episode waits for `goal` directly or transitively.
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
