import VmxLibrary
package import VmxModel
package import VmxStore

// The episodes that are here keep their ids. They get the identity key of their number in the show, so
// that the descriptions of a catalogue, and the items of another feed, find them. The feed is recorded
// first, then its episodes batch by batch; a run that is killed in between is completed by another.

/// Ties a feed to a show of the library.
///
///     let linked = try FeedLinking(store).link("meadow", to: LibraryShow(show, slug: slug))
package struct FeedLinking: Sendable {
  /// A feed after its change.
  package struct Linked: Sendable {
    /// The feed.
    package var feed: Subscription
    /// Whether anything was recorded.
    package var isChanged: Bool
    /// Pairs of episodes of which one has the number of the other: the feed's, and the show's.
    package var doubles: [(feed: EpisodeID, show: EpisodeID)] = []
  }

  /// The most episodes of one transaction, which holds the write lock.
  private static let batch = 500

  private let store: LibraryStore

  /// Creates the linking in a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Ties a feed to a show; to none if it is nil.
  ///
  /// - Returns: nil if the feed was removed meanwhile.
  /// - Throws: `ambiguous` if the slug means another show of the catalogue, and errors of the store.
  package func link(_ id: String, to show: LibraryShow?) throws -> Linked? {
    let slug = show.flatMap { Slug(valid: $0.slug) }
    var old: Slug?
    let before = try store.snapshot().record(.feed, id)
    let feed = try store.update(.durable) { transaction -> Subscription? in
      guard let record = transaction.record(.feed, id) else { return nil }
      var feed = try Subscription(id: id, record: record.fields)
      old = feed.show
      if let show { try transaction.tie(show) }
      feed.show = slug
      transaction.put(StoredRecord(kind: .feed, id: id, fields: feed.record))
      return feed
    }
    guard let feed else { return nil }
    var linked = Linked(feed: feed, isChanged: feed.record != before?.fields)
    let title = try slug.flatMap { try store.snapshot().show($0.description)?.title }
    try move(&linked, from: old, to: slug, title: title ?? feed.title)
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
    if ids.count > 4 { try store.prepareForMany() }
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
          transaction.put(episode)
          isChanged = true
        }
        return (isChanged, doubles)
      }
      linked.isChanged = linked.isChanged || isChanged
      linked.doubles += doubles
    }
  }
}

extension Episode {
  /// The identity key of its number in a show; nil without a number.
  fileprivate func key(in show: Slug) -> IdentityKey? {
    number.map { .numbered(show: show.description, season: season, number: $0) }
  }
}
