import VmxLibrary
package import VmxModel
import VmxStore

/// A feed that was read before the library follows it.
package struct FirstReading: Sendable {
  /// The subscription, not recorded yet.
  package var feed: Subscription
  /// The address, with user and password for a private feed.
  let url: WebURL
  let download: FeedDownload
  /// The document.
  let found: Feed

  /// Whether the document has items.
  package var hasItems: Bool { !found.items.isEmpty }
}

extension FeedUpdater {
  /// Reads a feed for a new subscription; records nothing.
  ///
  /// - Parameters:
  ///   - feed: the rules of the subscription. An empty title is replaced by the document's title.
  ///   - url: the address, with user and password for a private feed.
  ///   - typed: the address as the user typed it, for the request.
  /// - Throws: the failure of the check, store errors.
  package func read(
    _ feed: Subscription, at url: WebURL, typed: String, _ options: FeedDownload.Options
  ) throws -> FirstReading {
    var feed = feed
    feed.url = url.user == nil ? url.text : typed
    let download = try download(feed, options)
    guard case .changed(let found, _) = download.outcome else {
      if case .failed(let failure) = download.outcome { throw failure }
      throw Failure(.internalError, "a feed without a check is unchanged")
    }
    feed.url = url.text
    feed = try named(feed, by: found)
    return FirstReading(feed: feed, url: url, download: download, found: found)
  }

  /// Subscribes to a feed that was read, and imports its items.
  ///
  /// - Parameter report: as for `update`.
  /// - Throws: store errors and the errors of `report`.
  package func subscribe(
    to reading: FirstReading, report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    var feed = reading.feed
    if store.isDryRun {
      feed.id = feed.slugOfTitle.description
    } else {
      // User and password are stored as a secret only after the document proved to be a feed.
      feed = try subscriptions.add(feed, at: reading.url).feed
    }
    return try apply(reading.download, of: feed, report: report)
  }

  /// Moves a feed to the address of a document that was read, and imports the document's items. The
  /// feed keeps its id, its rules and its episodes.
  ///
  /// - Throws: as `subscribe`; `no-such-feed` if another process removed the feed.
  package func move(
    _ feed: Subscription, to reading: FirstReading,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    var moved = feed
    let secret = store.isDryRun ? nil : try subscriptions.secret(of: reading.url)
    let change = { (feed: inout Subscription) in
      feed.origin = feed.origin ?? feed.url
      if feed.url != reading.url.text { feed.fallback = nil }
      let hasOrigin = WebURL(valid: feed.url)?.origin == reading.url.origin
      feed.secret = secret ?? (hasOrigin ? feed.secret : nil)
      feed.url = reading.url.text
      feed.isForeign = false
      feed.failing = nil
    }
    change(&moved)
    if !store.isDryRun {
      guard let changed = try subscriptions.change(feed.id, change) else {
        throw Failure(.noSuchFeed, "another process removed '\(feed.id)'")
      }
      moved = changed
    }
    return try apply(reading.download, of: moved, report: report)
  }

  /// Returns the followed feed that has the items of a document at another address: the document
  /// has the title or the path of the feed, and at least half of its newest items are episodes of
  /// the feed by the table of evidence.
  ///
  /// - Throws: errors of reading the store.
  package func twin(of reading: FirstReading) throws -> Subscription? {
    let candidates = try subscriptions.all().feeds.filter { feed in
      let isSameTitle = reading.found.title.map { $0.lowercased() == feed.title.lowercased() }
      if isSameTitle ?? false { return true }
      guard let url = WebURL(valid: feed.url) else { return false }
      return (url.host, url.path) == (reading.url.host, reading.url.path) && url.path != "/"
    }
    guard !candidates.isEmpty else { return nil }
    let items = reading.found.items.prefix(Self.maxCompared)
    let snapshot = try subscriptions.snapshot(forLookups: items.count * candidates.count)
    return try candidates.first { feed in
      let names = FeedNames(identity: feed.identity, show: feed.title)
      let known = try items.filter { item in
        guard var description = try item.description(in: names, isNumbered: false) else {
          return false
        }
        description.isOnlyOfTitle = true
        let signs = description.signs(description.identityKeys)
        return try snapshot.find(Array(signs.keys)).contains { id in
          guard let episode = try snapshot.episode(id), episode.feed == feed.id else {
            return false
          }
          return EvidenceTable.judge(signs, episode.signs).verdict == .same
        }
      }
      return !known.isEmpty && known.count * 2 >= items.count
    }
  }

  /// The maximum number of items of a document that are compared with followed feeds.
  private static let maxCompared = 30

  /// Returns a feed with the title and the show that its first document gives it; a title that the
  /// user gave stays.
  ///
  /// - Throws: errors of reading the store.
  func named(_ feed: Subscription, by found: Feed) throws -> Subscription {
    var feed = feed
    if feed.title.isEmpty || feed.isNamedByHost {
      let host = WebURL(valid: feed.url)?.host ?? feed.url
      let adopted = try adoptedTitle(found, feed.identity)
      feed.title = adopted?.text ?? found.title ?? host
      if feed.show == nil, let slug = adopted?.show, slug != feed.slugOfTitle.description {
        feed.show = Slug(valid: slug)
      }
    }
    feed.show = try feed.show ?? adoptedShow(found, feed)
    return feed
  }

  /// Returns the title and the slug of the show in which the library has items of a feed already,
  /// as after a migration from a program in which the user renamed it; nil for none, or if several
  /// shows have them.
  private func adoptedTitle(
    _ found: Feed, _ identity: String
  ) throws -> (text: String, show: String)? {
    let keys = found.items.prefix(Self.adoptedItems).map {
      IdentityKey.feedItem(feed: identity, guid: $0.guid)
    }
    let snapshot = try store.snapshot()
    let known = try snapshot.find(keys).compactMap { try snapshot.episode($0) }
    guard Set(known.map(\.id.show)).count == 1 else { return nil }
    return known.first.map { ($0.showTitle, $0.id.show) }
  }

  /// Returns the show with a year in its title in which the library has items of a feed whose title
  /// has none, as after a migration of folders that were named for a media server; else the show
  /// with the title of the feed that has another slug, as after a renaming.
  private func adoptedShow(_ found: Feed, _ feed: Subscription) throws -> Slug? {
    let names = FeedNames(identity: feed.identity, show: feed.title)
    let snapshot = try store.snapshot()
    let descriptions = try found.items.prefix(Self.adoptedItems).compactMap { item in
      try item.description(in: names)
    }
    let owners = ShowOwners(snapshot)
    if let slug = try owners.namesake(of: descriptions) { return slug }
    let slug = try owners.slug(ofShow: feed.title)
    let isRenamed = slug != feed.slugOfTitle.description
    return isRenamed && snapshot.readableShow(slug)?.isTitle(feed.title) ?? false
      ? Slug(valid: slug) : nil
  }

  /// The number of items by which the show of a feed is found.
  private static let adoptedItems = 100
}
