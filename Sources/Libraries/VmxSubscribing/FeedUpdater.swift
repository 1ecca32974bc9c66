package import VmxCatalogue
package import VmxModel
package import VmxStore
import VmxSystem

// Several threads fetch documents. The calling thread imports their items one feed after the other,
// in the order of the feeds. The check of a feed is cached only after all its items are durable.
// After a killed run, the next one reads the whole feed again and finds most items already
// imported.

/// Checks feeds and imports their new episodes into the library.
///
/// ```swift
/// let updater = FeedUpdater(store: store, clock: clock, checks: checks, fetch: service.fetch)
/// try updater.update(due, order) { feed, effect in … } ended: { feed, result in … }
/// ```
package struct FeedUpdater: Sendable {
  /// The number of feeds fetched concurrently, which also limits the requests per host.
  private static let threads = 4

  /// The result of one feed.
  package enum Result: Sendable {
    /// The feed has no new items.
    case unchanged
    /// The items were imported.
    case imported(FeedImport.Counts)
    /// The feed could not be read.
    case failed(Failure)
  }

  /// A feed whose update has completed.
  package struct Ended: Sendable {
    /// The feed as recorded after the update.
    package let feed: Subscription
    /// The result.
    package let result: Result
    /// Further messages, such as a moved feed.
    package let notes: [String]
  }

  private let store: LibraryStore
  let subscriptions: Subscriptions
  private let clock: any WallClock
  private let checks: FeedChecks
  private let fetch: DocumentFetching

  /// Creates an updater.
  ///
  /// - Parameter fetch: fetches a document; may be called on several threads concurrently.
  package init(
    store: LibraryStore, clock: any WallClock, checks: FeedChecks,
    fetch: @escaping DocumentFetching
  ) {
    self.store = store
    subscriptions = Subscriptions(store)
    self.clock = clock
    self.checks = checks
    self.fetch = fetch
  }

  /// Returns whether a run for all feeds must check a feed.
  ///
  /// - Parameter interval: the default time between two checks, in milliseconds.
  package func isDue(_ feed: Subscription, interval: Int64) -> Bool {
    guard !feed.isPaused else { return false }
    guard feed.initialImport != nil, let last = checks.last(of: feed) else { return true }
    let wait = max(feed.interval ?? interval, last.minInterval ?? 0)
    // A check in the future comes from a wrong clock.
    return last.checked > clock.now || last.checked.adding(milliseconds: wait) <= clock.now
  }

  /// Checks one feed on the calling thread without recording anything.
  package func download(_ feed: Subscription, _ order: FeedDownload.Order) -> FeedDownload {
    FeedDownload(
      of: feed, last: feed.initialImport == nil ? nil : checks.last(of: feed), order, fetch: fetch)
  }

  /// Checks feeds and imports new items.
  ///
  /// - Parameters:
  ///   - isDryRun: whether to record nothing and report the same effects.
  ///   - report: receives each added or changed episode after it is durable.
  ///   - ended: called after each feed; false ends the run.
  /// - Throws: store errors and the errors of the closures.
  package func update(
    _ feeds: [Subscription], _ order: FeedDownload.Order, isDryRun: Bool = false,
    report: (Subscription, FeedImport.Effect) throws -> Void, ended: (Ended) throws -> Bool
  ) throws {
    var index = 0
    try WorkerThread.forEachInOrder(feeds.count, threads: Self.threads, named: "vmx-feed") {
      number in
      download(feeds[number], order)
    } take: { download in
      defer { index += 1 }
      return try ended(
        try apply(download, of: feeds[index], isDryRun: isDryRun) { try report(feeds[index], $0) })
    }
  }

  /// Applies the result of a check: records moves and new episodes, then caches the check.
  ///
  /// - Throws: store errors and the errors of `report`.
  package func apply(
    _ download: FeedDownload, of feed: Subscription, isDryRun: Bool,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    let found: Feed
    let check: FeedCheck
    switch download.outcome {
    case .failed(let failure): return Ended(feed: feed, result: .failed(failure), notes: [])
    case .unchanged(let kept): return try keep(kept, download, of: feed, isDryRun: isDryRun)
    case .changed(let feed, let new): (found, check) = (feed, new)
    }
    return try apply(found, check, download, of: feed, isDryRun: isDryRun, report: report)
  }

  /// Caches the check of an unchanged feed, and records its move.
  private func keep(
    _ check: FeedCheck, _ download: FeedDownload, of feed: Subscription, isDryRun: Bool
  ) throws -> Ended {
    guard !isDryRun else { return Ended(feed: feed, result: .unchanged, notes: []) }
    var notes: [String] = []
    let changed = try subscriptions.change(feed.id) { notes = $0.move(to: download.movedTo) }
    checks.cache(check, of: changed ?? feed)
    return Ended(feed: changed ?? feed, result: .unchanged, notes: notes)
  }

  private func apply(
    _ found: Feed, _ check: FeedCheck, _ download: FeedDownload, of feed: Subscription,
    isDryRun: Bool, report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    let counts = try FeedImport(store: store, clock: clock).importItems(
      found, of: feed, isPrivate: download.isPrivate, isDryRun: isDryRun, report: report)
    guard !isDryRun else { return Ended(feed: feed, result: .imported(counts), notes: []) }
    var notes: [String] = []
    let changed = try subscriptions.change(feed.id) { feed in
      feed.initialImport = feed.initialImport ?? clock.now
      feed.isComplete = found.isComplete
      notes = feed.move(to: download.movedTo)
    }
    guard let changed else {
      return Ended(
        feed: feed, result: .imported(counts), notes: ["another process removed '\(feed.id)'"])
    }
    checks.cache(check, of: changed)
    return Ended(feed: changed, result: .imported(counts), notes: notes)
  }
}

extension Subscription {
  /// Changes the URL of a feed that moved permanently, and returns a note. Credentials are not
  /// moved to another origin.
  fileprivate mutating func move(to place: WebURL?) -> [String] {
    guard let place, place.text != url else { return [] }
    let old = try? WebURL(url)
    origin = origin ?? url
    url = place.text
    if place.origin != old?.origin {
      secret = nil
      isForeign = isForeign || !(old.map { $0.host == place.host } ?? false)
    }
    return ["'\(id)' has moved to '\(URLRedaction.redacted(place))'"]
  }
}
