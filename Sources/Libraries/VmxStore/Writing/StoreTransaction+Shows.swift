package import VmxModel

// The title of a show is copied into each of its episodes when they are written, so that readers,
// filters and older versions find it in the one line of an episode. This file alone decides which
// title that is.

extension StoreTransaction {
  /// Returns the record of a show, kept for later episodes; nil if there is none or it cannot be
  /// decoded.
  package mutating func knownRecord(ofShow slug: String) -> LibraryShow? {
    if let known = shows[slug] { return known }
    let show = readableShow(slug)
    shows[slug] = .some(show)
    return show
  }

  /// Returns an episode with the title of its show, unless a feed or a person gave it the title of
  /// another show.
  package mutating func titled(_ episode: Episode) -> Episode {
    guard let show = knownRecord(ofShow: episode.id.show) else { return episode }
    var episode = episode
    episode.showTitle = show.title(ofEpisodeWith: episode.showTitle)
    return episode
  }

  /// Replaces the record of a show, or adds it. If its title has changed, its episodes get the new
  /// one, and the first of them the key by which a description with that title finds the show.
  ///
  /// - Parameter before: the show as it was, recorded or as its episodes had it.
  /// - Throws: errors of reading the store.
  package mutating func write(_ show: LibraryShow, replacing before: LibraryShow) throws {
    write(StoredRecord(kind: .show, id: show.slug, fields: show.record))
    shows[show.slug] = show
    // A show without a title before has no episode yet, and a search would read the whole store.
    guard let title = show.title, let old = before.title, title != old else { return }
    let key = IdentityKey.showTitled(Slug(transliterating: title, fallback: title).description)
    for id in try ids(ofShow: show.slug) {
      guard var episode = try episode(id), episode.id == id else { continue }
      episode = titled(episode)
      if episode.identity.contains(.showOwner(show.slug)) { episode.addIdentity([key]) }
      write(episode)
    }
  }

  /// Returns the ids of the episodes of a show, those that the transaction has added last.
  ///
  /// - Throws: errors of reading the store.
  package func ids(ofShow slug: String) throws -> [EpisodeID] {
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var ids: [EpisodeID] = []
    try snapshot.episodes(matching: query) { episode in
      ids.append(episode.id)
      return true
    }
    let known = Set(ids)
    return ids + writtenEpisodes.filter { $0.show == slug && !known.contains($0) }
  }
}
