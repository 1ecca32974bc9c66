import VmxCatalogue
import VmxModel
import VmxStore

// The exchange of subscriptions between all devices.
extension SyncService {
  /// Merges the subscriptions of the server, then sends those of the library.
  func exchangeSubscriptions(
    mayEnd: (_ count: Int, SyncEffect.Direction) throws -> Bool,
    _ report: (SyncEffect) throws -> Void
  ) throws {
    let isWhole = options.isFull || state.synced == nil
    let (changes, isPrivate) = try server.changes(since: isWhole ? 0 : state.subscriptionsSince)
    // gpodder.net keeps one list per device, and the list of a new device is empty.
    let everywhere = isWhole ? try server.allSubscriptions() : []
    let feeds = try feeds()
    let merge = SubscriptionMerge(
      changes, everywhere: everywhere, isWhole: isWhole, feeds: feeds, state)
    let active = feeds.filter { !$0.isPaused }.count
    let endsAll = isWhole && merge.paused.count == active
    if !merge.paused.isEmpty, endsAll || SubscriptionMerge.isBulk(merge.paused.count, of: active) {
      guard try mayEnd(merge.paused.count, .incoming) else { return }
    }
    if isWhole { state.refused = [] }
    let before = state
    let after = try apply(merge, isPrivate: isPrivate, since: changes.timestamp, report)
    try send(after, mayEnd: mayEnd, report)
    if store.isDryRun { state = before }
  }

  /// Applies and records the changes from the server.
  ///
  /// - Returns: the resulting feeds, also in a dry run.
  private func apply(
    _ merge: SubscriptionMerge, isPrivate: Bool, since: Int64?,
    _ report: (SyncEffect) throws -> Void
  ) throws -> [Subscription] {
    let known = try feeds()
    var (new, passwords, effects) = newFeeds(at: merge.added, isPrivate: isPrivate)
    if !store.isDryRun {
      for index in new.indices {
        guard let secret = passwords[new[index].feed.url] else { continue }
        new[index].feed.secret = try store.secrets.save(secret)
      }
    }
    var state = state
    state.known = merge.known + new.map { FeedAddress.known($0.address) }
    state.subscriptionsSince = min(since ?? clock.now.seconds, clock.now.seconds)
    effects += try store.update(.durable) { transaction in
      transaction.origin = .sync
      let effects = try Self.record(merge, adding: new.map(\.feed), in: &transaction)
      transaction.write(state.stored)
      return effects
    }
    self.state = state
    for effect in effects {
      try report(store.isDryRun && effect.result == .done ? effect.planned : effect)
    }
    guard store.isDryRun else { return try feeds() }
    return known.filter { !merge.paused.contains($0.id) } + new.map(\.feed)
  }

  /// Returns the feeds that the server adds, the passwords of their URLs, and the refusals of
  /// invalid addresses.
  private func newFeeds(
    at addresses: [String], isPrivate: Bool
  ) -> (
    feeds: [(feed: Subscription, address: String)], passwords: [String: Secret],
    refused: [SyncEffect]
  ) {
    var feeds: [(feed: Subscription, address: String)] = []
    var passwords: [String: Secret] = [:]
    var refused: [SyncEffect] = []
    for address in addresses {
      do throws(Failure) {
        let url = try WebURL(FeedAddress.fetched(address))
        var feed = Subscription(id: "", url: url.text, title: url.host)
        feed.want = options.want
        feed.isForeign = !isPrivate
        if let user = url.user {
          passwords[url.text] = Secret(user: user, password: url.password ?? "")
        }
        feeds.append((feed, address))
      } catch {
        let shown = URLRedaction.redacted(operand: address)
        refused.append(
          SyncEffect(.incoming, .subscribed, id: shown, result: .failed(error.redacting([address])))
        )
      }
    }
    return (feeds, passwords, refused)
  }

  /// Records the changes from the server in the transaction.
  private static func record(
    _ merge: SubscriptionMerge, adding feeds: [Subscription],
    in transaction: inout StoreTransaction
  ) throws -> [SyncEffect] {
    let added = Subscriptions.add(feeds, in: &transaction)
    var effects = added.map { SyncEffect(.incoming, .subscribed, id: $0.feed.id) }
    for id in merge.paused {
      try Subscriptions.change(id, in: &transaction) { $0.isPaused = true }
      effects.append(SyncEffect(.incoming, .unsubscribed, id: id))
    }
    for id in merge.resumed {
      try Subscriptions.change(id, in: &transaction) { $0.isPaused = false }
      effects.append(SyncEffect(.incoming, .subscribed, id: id))
    }
    return effects
  }

  /// Sends the local additions and removals.
  private func send(
    _ feeds: [Subscription], mayEnd: (_ count: Int, SyncEffect.Direction) throws -> Bool,
    _ report: (SyncEffect) throws -> Void
  ) throws {
    let upload = try SubscriptionUpload(
      feeds, state, allowsSecrets: options.sendsSecrets, address: address)
    notes.secret += upload.secret
    guard !upload.isEmpty else { return }
    if SubscriptionMerge.isBulk(upload.removed.count, of: state.known.count) {
      guard try mayEnd(upload.removed.count, .outgoing) else { return }
    }
    let rows =
      upload.added.map { SyncEffect(.outgoing, .subscribed, id: Self.name(of: $0, feeds, state)) }
      + upload.removed.map { SyncEffect(.outgoing, .unsubscribed, id: URLRedaction.redacted($0)) }
    guard !store.isDryRun else {
      for row in rows { try report(row.planned) }
      return
    }
    do {
      try send(added: upload.added, removed: upload.removed)
      for row in rows { try report(row) }
    } catch let failure as Failure where failure.code == .syncRefused {
      // One invalid address makes a server refuse the whole request, so each address is sent
      // separately.
      try sendEach(upload, rows: rows, report: report)
    }
  }

  private func sendEach(
    _ upload: SubscriptionUpload, rows: [SyncEffect], report: (SyncEffect) throws -> Void
  ) throws {
    let all =
      upload.added.map { (added: [$0], removed: [String]()) }
      + upload.removed.map { (added: [String](), removed: [$0]) }
    for (one, row) in zip(all, rows) {
      do {
        try send(added: one.added, removed: one.removed)
        try report(row)
      } catch let failure as Failure where failure.code == .syncRefused {
        state.known.removeAll { one.removed.contains($0) }
        state.refused += one.added.map(FeedAddress.known)
        try store.update(.durable) { $0.write(state.stored) }
        var row = row
        row.result = .failed(failure)
        try report(row)
      }
    }
  }

  private func send(added: [String], removed: [String]) throws {
    let receipt = try server.send(added: added, removed: removed)
    state.known += added.map(FeedAddress.known)
    state.known.removeAll { removed.contains($0) }
    state.apply(receipt.renamed, of: Set(added))
    try store.update(.durable) { $0.write(state.stored) }
  }

  /// Returns the address of a feed as sent to the server, in subscriptions and in actions: with its
  /// user and password, if it has them. Nil if its password is lost.
  ///
  /// - Throws: `secret-locked`, errors of reading the secrets file.
  func address(of feed: Subscription) throws -> String? {
    let address = state.address(of: feed)
    guard let reference = feed.secret else { return address }
    do {
      return FeedAddress.sent(address, with: try store.secrets.get(reference))
    } catch StoreError.noSecret {
      return nil
    }
  }

  private static func name(
    of address: String, _ feeds: [Subscription], _ state: SyncState
  ) -> String {
    feeds.first { state.isFeed($0, at: FeedAddress.normalised(address)) }?.id
      ?? URLRedaction.redacted(address)
  }
}
