package import VmxModel

// The title of a show is copied into each of its episodes when they are written, so that readers,
// filters and older versions find it in the one line of an episode. This file alone decides which
// title that is.

extension StoreTransaction {
  /// Returns the record of a show, kept for later episodes; it is empty if there is none or it
  /// cannot be decoded.
  package mutating func known(ofShow slug: String) -> KnownShow {
    if let known = shows[slug] { return known }
    let known = KnownShow(readableShow(slug))
    shows[slug] = known
    return known
  }

  /// Returns an episode with the title of its show, unless a feed or a person gave it the title of
  /// another show.
  package mutating func titled(_ episode: Episode) -> Episode {
    let known = known(ofShow: episode.id.show)
    guard known.show?.title != episode.showTitle, let show = known.show else { return episode }
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
    shows[show.slug] = KnownShow(show)
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

/// The record of a show that a transaction has looked up. It is a reference, and its members read
/// single fields: a copy of a show would cost a reference count for each field, for each episode.
package final class KnownShow: Sendable {
  fileprivate let show: LibraryShow?

  init(_ show: LibraryShow?) { self.show = show }

  /// The title, and the source that gave it; nil if there is none.
  package var title: (text: String, origin: FieldOrigin)? {
    show?.title.map { ($0, show?.by[show: .title] ?? .name) }
  }

  /// Whether a day is before the first one that is known, which only its episodes tell; false
  /// without a record.
  package func beginsLater(than day: CalendarDay) -> Bool {
    guard let show else { return false }
    return show.premiered.map { day < $0 && show.by[show: .premiered] == .name } ?? true
  }
}
