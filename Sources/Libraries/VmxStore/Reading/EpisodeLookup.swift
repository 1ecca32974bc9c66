package import VmxModel

/// A source of episodes: a snapshot of the store, or a transaction.
package protocol EpisodeLookup {
  /// Returns the episode of an id or alias; nil if there is none.
  func episode(_ id: EpisodeID) throws(StoreError) -> Episode?
  /// The ids of the episodes that hold any of the evidence, in no particular order.
  func find(_ evidence: [IdentityKey]) -> [EpisodeID]
}

extension StoreSnapshot: EpisodeLookup {}

extension StoreTransaction: EpisodeLookup {}
