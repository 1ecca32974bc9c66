package import VmxCatalogue
package import VmxLibrary
package import VmxModel
package import VmxStore

/// Imports the items of a feed into the library as episodes.
package struct FeedImport: Sendable {
  /// The effect of one item.
  package enum Effect: Sendable {
    /// The episode, as recorded, or as it would be recorded in a dry run.
    case imported(EpisodeImporter.Imported)
    /// The item could not be imported.
    case failed(Failure, title: String)
  }

  /// The numbers of items by effect.
  package struct Counts: Sendable, Equatable {
    /// The items with a file that the filters accept.
    package var items = 0
    /// The items without a downloadable file.
    package var withoutFile = 0
    /// The episodes that were added, or would be added in a dry run.
    package var added = 0
    /// The added episodes that are wanted.
    package var wanted = 0
    /// The reason why the first item without a file has none; nil if unknown.
    package var refusal: Failure?

    /// Creates counts of zero.
    package init() {}
  }

  /// The maximum number of items in a transaction, which holds the write lock.
  private static let batch = 500

  private let store: LibraryStore
  private let clock: any WallClock

  /// Creates an import into a store.
  package init(store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Imports the items, one batch per transaction.
  ///
  /// - Parameters:
  ///   - isPrivate: whether the URLs of items may lead into private networks.
  ///   - isDryRun: whether to record nothing and report the same effects.
  ///   - report: receives each effect except "unchanged"; unless in a dry run, after it is durable.
  /// - Throws: store errors and the errors of `report`.
  package func importItems(
    _ feed: Feed, of subscription: Subscription, isPrivate: Bool, isDryRun: Bool,
    report: (Effect) throws -> Void
  ) throws -> Counts {
    var counts = Counts()
    let items = ranked(feed, subscription, &counts)
    if items.count > LibraryStore.maxUnindexedLookups { try store.prepareForMany() }
    var names = FeedNames(
      identity: subscription.identity, show: subscription.title, language: feed.language)
    if let slug = subscription.show {
      let show = try store.snapshot().show(slug.description)
      (names.slug, names.show) = (slug, show?.title ?? names.show)
    }
    if let reference = subscription.secret {
      let secret = try store.secrets.get(reference)
      names.credentials = try WebURL(subscription.url).with(
        user: secret.user, password: secret.password)
    }
    // A dry run holds no lock, and a second one would not see what the first has changed.
    let size = isDryRun ? items.count : Self.batch
    var rest = items[...]
    while !rest.isEmpty {
      let batch = rest.prefix(size)
      rest = rest.dropFirst(batch.count)
      let effects = try record(
        batch, of: subscription, names, isForeign: !isPrivate, isDryRun: isDryRun)
      for effect in effects {
        counts.count(effect)
        try report(effect)
      }
    }
    return counts
  }

  /// An item with the decisions that do not depend on the store.
  private struct RankedItem {
    let item: FeedItem
    let isWanted: Bool
    /// Whether no other item of the document has its number.
    let isNumbered: Bool
  }

  /// Returns the accepted items, the oldest first, so that episodes are added in order of
  /// publication.
  private func ranked(
    _ feed: Feed, _ subscription: Subscription, _ counts: inout Counts
  ) -> [RankedItem] {
    var items: [FeedItem] = []
    for item in feed.items where subscription.accepts(title: item.title) {
      if item.media.isEmpty {
        counts.withoutFile += 1
        counts.refusal = counts.refusal ?? item.refusal
      } else {
        items.append(item)
      }
    }
    counts.items = items.count
    // Items without a date come last, in document order, which starts with the newest.
    let oldest = Timestamp(milliseconds: .min)
    let order = items.indices.sorted { left, right in
      let times = (items[left].published ?? oldest, items[right].published ?? oldest)
      return times.0 == times.1 ? left < right : times.0 > times.1
    }
    var numbers: [[Int64]: Int] = [:]
    for item in items where item.kind == .full {
      if let number = item.number { numbers[[item.season ?? 1, number], default: 0] += 1 }
    }
    return order.enumerated().reversed().map { rank, index in
      let item = items[index]
      let key = item.number.map { [item.season ?? 1, $0] }
      return RankedItem(
        item: item,
        isWanted: subscription.wants(rank: rank),
        isNumbered: key.map { numbers[$0] == 1 } ?? false)
    }
  }

  private func description(
    of item: RankedItem, _ subscription: Subscription, _ names: FeedNames
  ) throws(Failure) -> EpisodeDescription {
    var item = item
    if let quality = subscription.quality.flatMap(Quality.init(text:)) {
      item = RankedItem(
        item: item.item.preferring(quality), isWanted: item.isWanted, isNumbered: item.isNumbered)
    }
    let described = try item.item.description(in: names, isNumbered: item.isNumbered)
    guard var description = described else {
      throw Failure(.noSource, "'\(item.item.title ?? item.item.guid)' has no file")
    }
    description.feed = subscription.id
    return description
  }

  private func record(
    _ items: ArraySlice<RankedItem>, of subscription: Subscription, _ names: FeedNames,
    isForeign: Bool, isDryRun: Bool
  ) throws -> [Effect] {
    var prepared: [Result<EpisodeImporter, Failure>] = []
    for item in items {
      switch Result(catching: { () throws(Failure) in try description(of: item, subscription, names)
      })
      {
      case .success(let description):
        prepared.append(
          .success(
            try EpisodeImporter(
              exported: description, identity: description.identityKeys, isForeign: isForeign,
              secrets: isDryRun ? nil : store.secrets)))
      case .failure(let failure): prepared.append(.failure(failure))
      }
    }
    let now = clock.now
    func importAll(into transaction: inout StoreTransaction) throws -> [Effect] {
      var effects: [Effect] = []
      for (item, importer) in zip(items, prepared) {
        do {
          let imported = try importer.get().upsert(into: &transaction, now: now) {
            episode, before in
            guard before?.isOnlyDescribed ?? true else { return }
            episode.want = item.isWanted ? .fetch : .none
            episode.folder = subscription.folder
          }
          if imported.verdict != .unchanged { effects.append(.imported(imported)) }
        } catch let failure as Failure {
          effects.append(.failed(failure, title: item.item.title ?? item.item.guid))
        }
      }
      return effects
    }
    return isDryRun ? try store.dryRun(importAll) : try store.update(.durable, importAll)
  }
}

extension Episode {
  /// Whether the episode is only known from a catalogue: it has no source, and the user has not
  /// requested it.
  fileprivate var isOnlyDescribed: Bool { feed == nil && want == .none && lacksSource }
}

extension FeedImport.Counts {
  fileprivate mutating func count(_ effect: FeedImport.Effect) {
    guard case .imported(let imported) = effect, imported.verdict == .added else { return }
    added += 1
    if imported.episode.want == .fetch { wanted += 1 }
  }
}
