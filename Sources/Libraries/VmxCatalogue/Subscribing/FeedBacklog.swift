package import VmxModel
package import VmxStore

// A rule decides about an episode when it appears. A rule that is changed later leaves the known
// episodes as they are, so the user may request those that it selects.

/// The known episodes of a feed that its rule selects but that no request names.
package struct FeedBacklog: Sendable {
  private static let batch = 500

  private let store: LibraryStore

  /// Creates a search in a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Returns the episodes that the present rule of a feed would have requested, the newest first.
  ///
  /// - Throws: errors of reading the store.
  package func episodes(of feed: Subscription) throws -> [EpisodeID] {
    var query = EpisodeQuery()
    query.feed = feed.id
    var known: [(id: EpisodeID, day: String, index: Int, isOpen: Bool)] = []
    try store.snapshot().episodes(matching: query) { episode in
      let day = episode.date?.description ?? String(episode.added.text.prefix(10))
      let isOpen = Self.isOpen(episode) && feed.accepts(title: episode.title)
      known.append((episode.id, day, known.count, isOpen))
      return true
    }
    known.sort { ($0.day, $0.index) > ($1.day, $1.index) }
    return known.enumerated().filter { rank, episode in
      episode.isOpen && feed.want.wants(rank: rank, isFirstReading: true)
        && feed.keepLast.map { rank < $0 } ?? true
    }.map(\.element.id)
  }

  /// Requests episodes durably, except those that changed in the meantime.
  ///
  /// - Returns: the number of requested episodes.
  /// - Throws: store errors.
  package func request(_ ids: [EpisodeID]) throws -> Int {
    var count = 0
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(batch.count)
      count += try store.update(.durable) { transaction in
        var requested = 0
        for id in batch {
          guard var episode = try transaction.episode(id), Self.isOpen(episode) else { continue }
          episode.want = .fetch
          transaction.write(episode)
          requested += 1
        }
        return requested
      }
    }
    return count
  }

  /// Whether neither the user nor a rule has decided about an episode.
  private static func isOpen(_ episode: Episode) -> Bool {
    episode.want == .none && episode.state == .new && !episode.isWatched
  }
}
