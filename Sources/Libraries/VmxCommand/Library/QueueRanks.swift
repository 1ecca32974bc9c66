import VmxModel
import VmxStore

/// The positions of the due episodes in the queue: 1 for the one that a fetch starts first.
struct QueueRanks {
  private var ranks: [UInt64: Int] = [:]

  /// Ranks the episodes of a snapshot that are due by a rule.
  init(_ snapshot: StoreSnapshot, _ due: DueRule) {
    let keys = snapshot.queueKeys(of: due)
    ranks.reserveCapacity(keys.count)
    for (place, key) in keys.enumerated() { ranks[key] = place + 1 }
  }

  /// Returns the rank of an episode; nil if it is not due.
  func rank(of id: EpisodeID) -> Int? { ranks[StableHash.of(id.description)] }
}
