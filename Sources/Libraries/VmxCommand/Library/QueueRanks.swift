package import VmxModel
package import VmxStore

/// The positions of the due episodes in the queue: 1 for the one that a run takes up first.
///
/// The order is `QueueOrder`, as that of the run itself.
package struct QueueRanks {
  private var ranks: [UInt64: Int] = [:]

  /// Ranks the episodes of a snapshot that a rule calls due.
  ///
  /// - Throws: errors of reading the store.
  package init(_ snapshot: StoreSnapshot, _ due: DueRule) throws {
    let favourites = snapshot.favouriteShows
    var query = EpisodeQuery()
    query.wants = [.fetch]
    var line = 0
    var orders: [(order: QueueOrder, key: UInt64)] = []
    try snapshot.episodes(matching: query) { episode in
      line += 1
      guard due.isDue(episode) else { return true }
      let isFavourite = favourites.contains(episode.id.show)
      orders.append(
        (QueueOrder(of: episode, isFavourite: isFavourite, line: line), Self.key(of: episode.id)))
      return true
    }
    orders.sort { $0.order < $1.order }
    ranks.reserveCapacity(orders.count)
    for (place, entry) in orders.enumerated() { ranks[entry.key] = place + 1 }
  }

  /// Returns the rank of an episode; nil if it is not due.
  package func rank(of id: EpisodeID) -> Int? { ranks[Self.key(of: id)] }

  private static func key(of id: EpisodeID) -> UInt64 { StableHash.of(id.description) }
}
