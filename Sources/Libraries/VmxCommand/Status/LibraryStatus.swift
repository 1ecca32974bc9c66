package import VmxModel
package import VmxPresentation
package import VmxStore

/// The activity of all fetchers and the state of the library, computed only from the store and the
/// claims.
///
/// Used by one thread. It creates nothing on disk.
package final class LibraryStatus {
  private let store: LibraryStore
  private let clock: any WallClock
  private let zone: any LocalZone
  private let parental: ParentalGuard?
  private let follower: StoreFollower
  private var counts = EpisodeCounts()
  private var work = WorkInProgress()
  private var networks: [String: NetworkMonths] = [:]
  private var rateLimit = EventRateLimit()

  /// Reads the current state of the library.
  ///
  /// - Parameters:
  ///   - parental: the guard that decides which episodes are shown; nil for all. The totals count
  ///     all episodes.
  ///   - following: whether the caller will call `poll`. If false, nothing is stored that a report
  ///     does not need.
  /// - Throws: the errors of the store.
  package init(
    of store: LibraryStore, clock: any WallClock, zone: any LocalZone,
    showing parental: ParentalGuard? = nil, following: Bool
  ) throws {
    self.store = store
    self.clock = clock
    self.zone = zone
    self.parental = parental
    follower = try StoreFollower(store)
    let snapshot = follower.snapshot
    snapshot.records(of: .progress) { record in
      work.add(record)
      return true
    }
    snapshot.records(of: .network) { record in
      networks[record.id] = NetworkMonths(of: record)
      return true
    }
    _ = try work.evaluate(held: []) { try store.claims.inWork(among: $0) }
    if following { _ = rateLimit.due(of: work.items(now: clock.now), now: clock.now) }
    let working = work.working
    snapshot.summaries(following ? .lastStep : .stateFields) { episode in
      counts.count(episode, remembering: following || working.contains(episode.id))
      return true
    }
  }

  /// The snapshot of the last poll.
  package var snapshot: StoreSnapshot { follower.snapshot }

  /// Returns the current report.
  package func report() -> StatusReport {
    let now = clock.now
    let items = work.items(now: now)
    var totals = StatusTotals(at: now)
    totals.count(items)
    let working = work.working.compactMap { counts.state(of: $0)?.group }
    func resting(_ group: PackedState.Group) -> Int {
      counts[group] - working.count { $0 == group }
    }
    totals.episodes = counts.all
    totals.queued = resting(.queued)
    totals.waiting = resting(.waiting)
    totals.paused = resting(.paused)
    totals.failed = resting(.failed)
    totals.ready = resting(.ready)
    snapshot.records(of: .feed) { record in
      if record.fields["failing"] != nil { totals.failingFeeds += 1 }
      return true
    }
    totals.rootsAway = snapshot.unusableRoots
    totals.reasons = counts.waiting()
    let month = zone.local(now).monthName
    totals.networks = networks.sorted { $0.key < $1.key }.compactMap { name, months in
      let bytes = months[month]
      return bytes > 0 ? StatusTotals.Network(name: name, month: month, bytes: bytes) : nil
    }
    return StatusReport(items: items.filter { isShown($0.id) }, totals: totals)
  }

  /// Polls the store for changes since the last poll.
  ///
  /// - Returns: the transitions of episodes in the order of the store, then the stopped fetches,
  ///   then the progress, at most twice a second for each episode.
  /// - Throws: the errors of the store.
  package func poll() throws -> [StatusEvent] {
    let held = try store.claims.inWork(among: work.working)
    var events: [StatusEvent] = []
    try follower.forEachChange { change in events += apply(change) }
    let stopped = try work.evaluate(held: held) { try store.claims.inWork(among: $0) }
    let now = clock.now
    events += stopped.compactMap { id in
      work.item(id, now: now).map { StatusEvent(id.description, .stopped($0)) }
    }
    let moved = rateLimit.due(of: work.items(now: now), now: now)
    events += moved.map { StatusEvent($0.id, .progress($0)) }
    return events.filter { isShown($0.id) }
  }

  private func isShown(_ id: String) -> Bool { parental?.allows(row: id) ?? true }

  private func apply(_ change: StoreChange) -> [StatusEvent] {
    switch (change.kind, change.content) {
    case (_, .episode(let episode)): return apply(episode, at: change.at ?? clock.now)
    case (.episode, .removed):
      guard let id = EpisodeID(valid: change.id) else { return [] }
      counts.remove(id)
      return [StatusEvent(change.id, .removed, at: change.at ?? clock.now)]
    case (.progress, .record(let record)): work.add(record)
    case (.progress, .removed): work.end(change.id)
    case (.network, .record(let record)): networks[change.id] = NetworkMonths(of: record)
    case (.network, .removed): networks[change.id] = nil
    default: break
    }
    return []
  }

  private func apply(_ episode: Episode, at: Timestamp) -> [StatusEvent] {
    defer { counts.count(EpisodeSummary(episode), remembering: true) }
    let id = episode.id.description
    guard let before = counts.state(of: episode.id) else {
      return [StatusEvent(id, .added(state: episode.state, want: episode.want), at: at)]
    }
    var events = before.steps(since: episode).map { step in
      let part = episode.parts.first { $0.name == step.part && $0.state == step.to }
      return StatusEvent(id, .state(step, reason: part?.reason, until: part?.until))
    }
    if episode.want != before.want {
      events.append(StatusEvent(id, .want(from: before.want, to: episode.want), at: at))
    }
    return events
  }
}

/// Limits the progress events of each item to two a second, and drops events without progress.
private struct EventRateLimit {
  private static let minInterval: Int64 = 500

  private var lastReported: [String: (item: StatusItem, at: Timestamp)] = [:]

  /// Returns the items in progress whose event may be printed now.
  mutating func due(of items: [StatusItem], now: Timestamp) -> [StatusItem] {
    let ids = Set(items.map(\.id))
    lastReported = lastReported.filter { ids.contains($0.key) }
    return items.filter { item in
      if let last = lastReported[item.id] {
        let span = now.milliseconds - last.at.milliseconds
        // After a backward step of the clock, items are reported at once, not when it has caught
        // up.
        guard item.at != last.item.at, span >= Self.minInterval || span < 0 else { return false }
      }
      lastReported[item.id] = (item, now)
      return true
    }
  }
}
