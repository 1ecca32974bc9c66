package import VmxLibrary
package import VmxModel
import VmxSettings
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
    /// The items that the filters of the feed exclude.
    package var excluded = 0
    /// The episodes that were added, or would be added in a dry run.
    package var added = 0
    /// The added episodes that are wanted.
    package var wanted = 0
    /// The episodes that were added or changed.
    package var changed = 0
    /// The items that could not be imported.
    package var failed = 0
    /// The rev of the feed's record, if the import has written it.
    package var rev: Int64?
    /// The added episodes that look like others of the library, and are therefore not wanted.
    package var likely = 0
    /// The number of items that another program has downloaded before, and that are not wanted.
    package var archived = 0
    /// The messages about other versions of ready episodes.
    package var versions: [String] = []
    /// The reason why the first item without a file has none; nil if unknown.
    package var refusal: Failure?

    /// Creates counts of zero.
    package init() {}

    /// The items that were episodes of the library before.
    package var known: Int { max(0, items - added - failed) }
  }

  /// The maximum number of items in a transaction, which holds the write lock.
  private static let batch = 500

  private let store: LibraryStore
  private let clock: any WallClock
  private let takesAudio: Bool

  /// Creates an import into a store.
  ///
  /// - Parameter takesAudio: whether items whose only files are audio become episodes.
  package init(store: LibraryStore, clock: any WallClock, takesAudio: Bool) {
    self.store = store
    self.clock = clock
    self.takesAudio = takesAudio
  }

  /// Imports the items, one batch per transaction.
  ///
  /// - Parameters:
  ///   - isPrivate: whether the URLs of items may lead into private networks.
  ///   - report: receives each effect except "unchanged"; unless in a dry run, after it is durable.
  /// - Throws: store errors and the errors of `report`.
  package func importItems(
    _ feed: Feed, of subscription: Subscription, isPrivate: Bool,
    report: (Effect) throws -> Void
  ) throws -> Counts {
    var counts = Counts()
    let items = ranked(feed, of: subscription, counts: &counts)
    let document = Set(items.flatMap { $0.item.documentKeys(in: subscription.identity) })
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
    let size = store.isDryRun ? items.count : Self.batch
    var rest = items[...]
    while !rest.isEmpty {
      let batch = rest.prefix(size)
      rest = rest.dropFirst(batch.count)
      let (effects, rev) = try record(
        batch, of: subscription, names: names, document: document, isForeign: !isPrivate,
        isLast: rest.isEmpty)
      counts.rev = rev ?? counts.rev
      for effect in effects {
        counts.count(effect)
        if case .imported(let imported) = effect, imported.verdict == .updated,
          let note = imported.note
        {
          counts.versions.append(note)
          continue
        }
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
    /// Whether no other item of the document has its day.
    let isOnlyOfDay: Bool
    /// Whether no other item of the document has its title.
    let isOnlyOfTitle: Bool
    /// Whether no other item of the document has a file of that name. A name such as `video.mp4` in
    /// a folder for each item would find all episodes of the show.
    let isOnlyOfName: Bool
    /// The key of its page; nil if other items of the document have that page too.
    let page: IdentityKey?
  }

  /// Returns the accepted items, the oldest first, so that episodes are added in order of
  /// publication.
  private func ranked(
    _ feed: Feed, of subscription: Subscription, counts: inout Counts
  ) -> [RankedItem] {
    var items: [FeedItem] = []
    for item in feed.items {
      if !subscription.accepts(title: item.title) {
        counts.excluded += 1
      } else if item.media.isEmpty {
        counts.withoutFile += 1
        counts.refusal = counts.refusal ?? item.refusal
      } else if !takesAudio, item.isAudioOnly {
        counts.withoutFile += 1
        counts.refusal =
          counts.refusal
          ?? Failure(
            .sourceUnsupported,
            "'\(item.title ?? item.guid)' is audio, and '\(SettingKey.feedMedia.rawValue)' is 'video'"
          )
      } else {
        items.append(item)
      }
    }
    counts.items = items.count
    let dates = FeedDates(now: clock.now)
    var numbers: [[Int64]: Int] = [:]
    for item in items where item.kind == .full {
      if let number = item.number { numbers[[item.season ?? 1, number], default: 0] += 1 }
    }
    // A number without a season beside numbered seasons is not that of an episode of season 1.
    let hasSeasons = items.contains {
      $0.kind == .full && $0.number != nil && $0.season ?? 0 > 0
    }
    var days: [CalendarDay: Int] = [:]
    var titles: [String: Int] = [:]
    var names: [String: Int] = [:]
    let keys = items.map(\.pageKey)
    let pages = Dictionary(keys.compactMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
    let folded = items.map { $0.title.map(EpisodeSigns.folded(title:)) }
    for (item, title) in zip(items, folded) {
      if let day = item.day { days[day, default: 0] += 1 }
      if let title { titles[title, default: 0] += 1 }
      for name in Set(item.media.flatMap(\.sources).map(\.stem)) { names[name, default: 0] += 1 }
    }
    return dates.newestFirst(items).enumerated().reversed().map { rank, index in
      var item = items[index]
      let key = item.number.map { [item.season ?? 1, $0] }
      let isNumbered =
        key.map { numbers[$0] == 1 } ?? false && (item.season != nil || !hasSeasons)
      let published = dates.credible(item.published)
      if !dates.isPossible(item.published) { item.day = nil }
      return RankedItem(
        item: item,
        isWanted: subscription.wants(rank: rank, published: published),
        isNumbered: isNumbered,
        isOnlyOfDay: item.day.map { days[$0] == 1 } ?? false,
        isOnlyOfTitle: folded[index].map { titles[$0] == 1 } ?? false,
        isOnlyOfName: item.media.flatMap(\.sources).allSatisfy { names[$0.stem] == 1 },
        page: keys[index].flatMap { pages[$0] == 1 ? $0 : nil })
    }
  }

  private func description(
    of item: RankedItem, in subscription: Subscription, names: FeedNames,
    document: Set<IdentityKey>
  ) throws(Failure) -> EpisodeDescription {
    let quality = subscription.quality.flatMap(Quality.init(text:))
    let preferred = quality.map { item.item.preferring($0) } ?? item.item
    let described = try preferred.description(in: names, isNumbered: item.isNumbered)
    guard var description = described else {
      throw Failure(.noSource, "'\(item.item.title ?? item.item.guid)' has no file")
    }
    description.feed = subscription.id
    description.siblings = document
    description.versionRule = subscription.onChange
    description.isOnlyOfDay = item.isOnlyOfDay
    description.isOnlyOfTitle = item.isOnlyOfTitle
    if !item.isOnlyOfName { description.fileName = nil }
    if let page = item.page { description.identity.append(page) }
    return description
  }

  private func record(
    _ items: ArraySlice<RankedItem>, of subscription: Subscription, names: FeedNames,
    document: Set<IdentityKey>, isForeign: Bool, isLast: Bool
  ) throws -> (effects: [Effect], rev: Int64?) {
    var prepared: [Result<EpisodeImporter, Failure>] = []
    for item in items {
      let described = Result { () throws(Failure) in
        try description(of: item, in: subscription, names: names, document: document)
      }
      switch described {
      case .success(let description):
        prepared.append(
          .success(
            try EpisodeImporter(
              exported: description, identityKeys: description.identityKeys, isForeign: isForeign,
              secrets: store.isDryRun ? nil : store.secrets)))
      case .failure(let failure): prepared.append(.failure(failure))
      }
    }
    let now = clock.now
    func importAll(
      into transaction: inout StoreTransaction
    ) throws -> (effects: [Effect], rev: Int64?) {
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
      guard isLast, subscription.initialImport == nil else { return (effects, nil) }
      // A later item is new only after all items of the first update are recorded.
      let feed = try Subscriptions.change(subscription.id, in: &transaction) {
        $0.initialImport = $0.initialImport ?? now
      }
      return (effects, feed?.rev)
    }
    return try store.update(.durable, importAll)
  }
}

extension Episode {
  /// Whether the episode is of no feed, has no source, and was not requested.
  private var isOnlyNamed: Bool { text.feed == nil && want == .none && lacksSource }

  /// Whether the feed decides if the episode is wanted: only a catalogue describes it, or the
  /// library has its film.
  fileprivate var isOnlyDescribed: Bool { isOnlyNamed && !isOnlyInArchive }

  /// Whether another program has downloaded the episode before, as its archive says, and the
  /// library does not have it.
  fileprivate var isOnlyInArchive: Bool {
    isOnlyNamed && by[.title] < .feed && readyVideo == nil
  }
}

extension FeedImport.Counts {
  fileprivate mutating func count(_ effect: FeedImport.Effect) {
    guard case .imported(let imported) = effect else {
      failed += 1
      return
    }
    changed += 1
    if imported.before?.isOnlyInArchive == true, imported.episode.want == .none { archived += 1 }
    guard imported.verdict == .added else { return }
    added += 1
    if imported.likely != nil { likely += 1 }
    if imported.episode.want == .fetch { wanted += 1 }
  }
}
