import VmxLibrary
package import VmxModel
package import VmxStore

// Existing episodes keep their ids. They get the identity key of their number in the show, so that
// catalogue descriptions and items of other feeds match them. The feed is recorded first, then its
// episodes in batches; another run completes one that was killed.

/// Links a feed to a show of the library.
///
///     let linked = try FeedLinking(store).link("meadow", to: LibraryShow(show, slug: slug))
package struct FeedLinking: Sendable {
  /// A feed after the change.
  package struct Linked: Sendable {
    /// The feed.
    package var feed: Subscription
    /// Whether a change was recorded.
    package var isChanged: Bool
    /// Pairs of episodes with the same number: the feed's and the show's.
    package var duplicates: [(feed: EpisodeID, show: EpisodeID)] = []
  }

  /// The maximum number of episodes in a transaction, which holds the write lock.
  private static let batch = 500

  private let store: LibraryStore

  /// Creates the linking for a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Links a feed to a show; nil removes the link.
  ///
  /// - Returns: the changed feed; nil if it was removed in the meantime.
  /// - Throws: `ambiguous` if the slug belongs to another catalogue show; store errors.
  package func link(_ id: String, to show: LibraryShow?) throws -> Linked? {
    let slug = show.flatMap { Slug(valid: $0.slug) }
    var old: Slug?
    let before = try store.snapshot().record(.feed, id)
    let feed = try store.update(.durable) { transaction -> Subscription? in
      guard let record = transaction.record(.feed, id) else { return nil }
      var feed = try Subscription(id: id, record: record.fields)
      old = feed.show
      if let show { try transaction.describe(show, from: .feed, isCompletion: true) }
      feed.show = slug
      transaction.write(StoredRecord(kind: .feed, id: id, fields: feed.record))
      return feed
    }
    guard let feed else { return nil }
    var linked = Linked(feed: feed, isChanged: feed.record != before?.fields)
    let title = try slug.flatMap { try store.snapshot().show($0.description)?.title }
    try move(&linked, from: old, to: slug, title: title ?? feed.title)
    if let slug { ShowSidecar.refresh(slug.description, on: MediaRoots(store: store)) }
    return linked
  }

  private func move(
    _ linked: inout Linked, from old: Slug?, to slug: Slug?, title: String
  ) throws {
    var query = EpisodeQuery()
    query.feed = linked.feed.id
    var ids: [EpisodeID] = []
    try store.snapshot().episodes(matching: query) { episode in
      ids.append(episode.id)
      return true
    }
    if ids.count > LibraryStore.maxUnindexedLookups { try store.prepareForMany() }
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(batch.count)
      let (isChanged, doubles) = try store.update(.durable) { transaction in
        var isChanged = false
        var doubles: [(feed: EpisodeID, show: EpisodeID)] = []
        for id in batch {
          guard var episode = try transaction.episode(id) else { continue }
          let before = episode
          if let old, let key = episode.key(in: old) { episode.identity.removeAll { $0 == key } }
          if let slug, let key = episode.key(in: slug) {
            let others = transaction.find([key]).filter { $0 != episode.id }
            if let other = others.first {
              doubles.append((episode.id, other))
            } else if !episode.identity.contains(key) {
              episode.identity.append(key)
            }
          }
          episode.showTitle = title
          guard episode != before else { continue }
          transaction.write(episode)
          isChanged = true
        }
        return (isChanged, doubles)
      }
      linked.isChanged = linked.isChanged || isChanged
      linked.duplicates += doubles
    }
  }
}

extension Episode {
  /// Returns the identity key of the episode's number in a show; nil without a number.
  fileprivate func key(in show: Slug) -> IdentityKey? {
    text.number.map { .numbered(show: show.description, season: text.season, number: $0) }
  }
}
