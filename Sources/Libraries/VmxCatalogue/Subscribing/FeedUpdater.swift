import VmxLibrary
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
/// let updater = FeedUpdater(store: store, clock: clock, checks: checks, send: service.send)
/// try updater.update(due, options) { feed, effect in … } ended: { end in … }
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
    package var notes: [String] = []
    /// Whether to print the failure. A feed that fails for weeks is printed once a week.
    package var isReported = true
  }

  let store: LibraryStore
  let subscriptions: Subscriptions
  private let clock: any WallClock
  private let checks: FeedChecks
  private let send: HTTPSending
  private let delay: @Sendable (String) -> Int64
  private let takesAudio: Bool

  /// Creates an updater.
  ///
  /// - Parameters:
  ///   - takesAudio: as for `FeedImport`.
  ///   - delay: returns the milliseconds for which the host of a URL allows no request.
  ///   - send: fetches a document; may be called on several threads concurrently.
  package init(
    store: LibraryStore, clock: any WallClock, checks: FeedChecks, takesAudio: Bool = true,
    delay: @escaping @Sendable (String) -> Int64 = { _ in 0 }, send: @escaping HTTPSending
  ) {
    self.delay = delay
    self.takesAudio = takesAudio
    self.store = store
    subscriptions = Subscriptions(store)
    self.clock = clock
    self.checks = checks
    self.send = send
  }

  /// The same updater for a dry run.
  package var dryRun: FeedUpdater {
    FeedUpdater(
      store: store.dryRun, clock: clock, checks: checks, takesAudio: takesAudio, delay: delay,
      send: send)
  }

  /// Returns whether a run for all feeds must check a feed.
  ///
  /// - Parameter interval: the default time between two checks, in milliseconds.
  /// - Throws: errors of reading the store.
  package func isDue(_ feed: Subscription, interval: Int64) throws -> Bool {
    guard !feed.isPaused else { return false }
    guard let last = try known(of: feed) else { return true }
    let wait = max(feed.interval ?? interval, last.minInterval ?? 0)
    // A check in the future comes from a wrong clock.
    return last.checked > clock.now || last.checked.adding(milliseconds: wait) <= clock.now
  }

  /// Returns the last check if all items of its document are in the library; nil if that is
  /// uncertain.
  private func known(of feed: Subscription) throws -> FeedCheck? {
    guard feed.initialImport != nil, let last = checks.last(of: feed),
      let mark = try store.snapshot().mark(of: feed.rev), last.mark == mark
    else { return nil }
    return last
  }

  /// Checks one feed on the calling thread without recording anything.
  ///
  /// - Throws: errors of reading the store.
  package func download(
    _ feed: Subscription, _ options: FeedDownload.Options
  ) throws -> FeedDownload {
    FeedDownload(of: feed, last: try known(of: feed), options, send: send)
  }

  /// Checks feeds and imports new items.
  ///
  /// - Parameters:
  ///   - report: receives each added or changed episode after it is durable.
  ///   - ended: called after each feed; false ends the run.
  /// - Throws: store errors and the errors of the closures.
  package func update(
    _ feeds: [Subscription], _ options: FeedDownload.Options,
    report: (Subscription, FeedImport.Effect) throws -> Void, ended: (Ended) throws -> Bool
  ) throws {
    var index = 0
    let feeds = ordered(feeds)
    let last = try feeds.map { try known(of: $0) }
    try WorkerThread.forEachInOrder(feeds.count, threads: Self.threads, named: "vmx-feed") {
      number in
      FeedDownload(of: feeds[number], last: last[number], options, send: send)
    } take: { download in
      defer { index += 1 }
      var result = try apply(download, of: feeds[index]) { try report(feeds[index], $0) }
      result.isReported = result.isReported || options.isNamed
      return try ended(result)
    }
  }

  /// Orders feeds so that those of limited hosts come last, each host in turn: the threads then
  /// wait for several hosts at once, and not before all other feeds are read.
  private func ordered(_ feeds: [Subscription]) -> [Subscription] {
    let isLimited = feeds.map { delay($0.url) > 0 }
    var turns: [String: Int] = [:]
    let limited = zip(feeds, isLimited).filter(\.1).map { feed, _ in
      let host = WebURL(valid: feed.url)?.origin ?? ""
      defer { turns[host, default: 0] += 1 }
      return (turn: turns[host, default: 0], feed: feed)
    }
    let later = limited.enumerated().sorted { ($0.1.turn, $0.0) < ($1.1.turn, $1.0) }
    return zip(feeds, isLimited).filter { !$1 }.map(\.0) + later.map(\.element.feed)
  }

  /// Applies the result of a check: records moves and new episodes, then caches the check.
  ///
  /// - Throws: store errors and the errors of `report`.
  package func apply(
    _ download: FeedDownload, of feed: Subscription,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    let found: Feed
    let check: FeedCheck
    switch download.outcome {
    case .failed(let failure): return try fail(failure, of: feed)
    case .unchanged(let kept): return try keep(kept, download, of: feed)
    case .changed(let feed, let new): (found, check) = (feed, new)
    }
    return try apply(found, check: check, from: download, of: feed, report: report)
  }

  /// Records a failed check, unless the failure is one of this machine or this run.
  private func fail(_ failure: Failure, of feed: Subscription) throws -> Ended {
    var ended = Ended(feed: feed, result: .failed(failure))
    guard !store.isDryRun, !feed.id.isEmpty, !failure.code.isLocal else { return ended }
    let known = try known(of: feed)
    var isCurrent = false
    let changed = try subscriptions.change(feed.id) { present in
      isCurrent = present.rev == feed.rev
      var failing = present.failing ?? FeedFailing(since: clock.now)
      ended.isReported = failing.count(failure.code, at: clock.now)
      present.failing = failing
    }
    // The new line says nothing about items, so the last check stays valid.
    if let changed, let known, isCurrent { try cache(known, of: changed) }
    return ended
  }

  /// Caches the check of an unchanged feed, and records its move.
  private func keep(
    _ check: FeedCheck, _ download: FeedDownload, of feed: Subscription
  ) throws -> Ended {
    var ended = Ended(feed: feed, result: .unchanged, notes: download.notes)
    guard !store.isDryRun else { return ended }
    var isCurrent = false
    var notes: [String] = []
    let changed = try subscriptions.change(feed.id) { present in
      isCurrent = present.rev == feed.rev
      present.failing = nil
      notes = present.move(to: download.movedTo)
    }
    if let changed, isCurrent { try cache(check, of: changed) }
    ended.notes += notes
    return Ended(feed: changed ?? feed, result: .unchanged, notes: ended.notes)
  }

  private func apply(
    _ found: Feed, check: FeedCheck, from download: FeedDownload, of feed: Subscription,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    let named = feed.isNamedByHost ? try self.named(feed, by: found) : feed
    var show: String?
    let feed = try store.update(.durable) { transaction in
      let feed = try Subscriptions.rename(feed, as: named, in: &transaction)
      guard !found.items.isEmpty else { return feed }
      do {
        let described = FeedShow(found, isForeign: !download.isPrivate)
        let slug = try described.describe(of: feed, in: &transaction)
        show = slug
        return try described.title(feed, of: slug, in: &transaction)
      } catch let failure as Failure where failure.code == .storeDamaged {
        // A record of a show that cannot be decoded keeps no item out of the library.
      }
      return feed
    }
    let counts = try FeedImport(store: store, clock: clock, takesAudio: takesAudio)
      .importItems(found, of: feed, isPrivate: download.isPrivate, report: report)
    if let show { ShowSidecar.refresh(show, on: MediaRoots(store: store)) }
    for (page, failure) in download.failedPages {
      try report(.failed(failure, title: page))
    }
    var ended = Ended(feed: feed, result: .imported(counts), notes: counts.notes + download.notes)
    guard !store.isDryRun else { return ended }
    // A permanent redirect may lead to another feed, as for an expired domain.
    let isSame = download.isMoveProven || feed.initialImport == nil || counts.known > 0
    var isCurrent = false
    var notes: [String] = []
    let changed = try subscriptions.change(feed.id) { present in
      isCurrent = present.rev == feed.rev || present.rev == counts.rev
      present.initialImport = present.initialImport ?? clock.now
      if counts.changed > 0 { present.markChanged(at: clock.now) }
      present.isComplete = found.isComplete
      present.failing = nil
      notes = isSame ? present.move(to: download.movedTo) : []
    }
    ended.notes += notes
    guard let changed else {
      return Ended(
        feed: feed, result: ended.result, notes: ["another process removed '\(feed.id)'"])
    }
    // Otherwise another process has changed the rules, or removed the record of an episode.
    if isCurrent, download.failedPages.isEmpty { try cache(check, of: changed) }
    return Ended(feed: changed, result: ended.result, notes: ended.notes)
  }

  private func cache(_ check: FeedCheck, of feed: Subscription) throws {
    var check = check
    check.mark = try store.snapshot().mark(of: feed.rev)
    checks.cache(check, of: feed)
  }
}

extension Subscription {
  /// Changes the URL of a feed that moved permanently, and returns a note. Credentials are not
  /// moved to another origin.
  fileprivate mutating func move(to address: WebURL?) -> [String] {
    guard let address, address.text != url else { return [] }
    let old = WebURL(valid: url)
    origin = origin ?? url
    fallback = url
    url = address.text
    if address.origin != old?.origin {
      secret = nil
      isForeign = isForeign || !(old.map { $0.host == address.host } ?? false)
    }
    return ["'\(id)' has moved to '\(URLRedaction.redacted(address))'"]
  }
}

extension FeedImport.Counts {
  /// The maximum number of messages about other versions.
  private static let maxVersions = 5

  /// The messages about items that are not taken as new episodes.
  fileprivate var notes: [String] {
    var notes = Array(versions.prefix(Self.maxVersions))
    if versions.count > notes.count {
      notes.append("\(versions.count - notes.count) more episodes keep their titles and files")
    }
    if likely > 0 {
      notes.append(
        "\(likely) of \(items) items look like episodes that you have, and are not wanted: "
          + "'vmx clean --join --likely' joins them, 'vmx fetch ID' fetches one that is another")
    }
    if archived > 0 {
      notes.append(
        "\(archived) of \(items) items are in the archive of another program, and are not wanted: "
          + "'vmx fetch ID' fetches one again")
    }
    return notes
  }
}
