package import VmxModel
package import VmxStore

/// Where episodes are found by their ids, aliases followed.
package protocol EpisodeLookup {
  /// The episode that an id leads to; nil if there is none.
  func episode(_ id: EpisodeID) throws(StoreError) -> Episode?
}

extension StoreSnapshot: EpisodeLookup {}

extension StoreTransaction: EpisodeLookup {}
