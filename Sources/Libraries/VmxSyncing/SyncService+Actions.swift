import VmxCatalogue
import VmxLibrary
import VmxModel
import VmxStore

// The merge of actions from other devices.
extension SyncService {
  /// The milliseconds between two queries for late reports, and the seconds that such a query
  /// covers.
  private static let lookbackInterval: Int64 = 24 * 3_600_000
  private static let lookbackWindow: Int64 = 14 * 24 * 3600
  /// The maximum number of pages in a run. It ends the run if a server returns the same page
  /// forever.
  private static let maxPages = 10_000
  /// The maximum number of episodes in a transaction, which holds the write lock.
  private static let batch = 500

  /// Fetches and merges the actions of other devices.
  func mergeActions(_ report: (SyncEffect) throws -> Void) throws {
    let now = clock.now
    let since = try self.since(now: now)
    var next = since.value
    var matches = ActionMatches(
      in: try store.snapshot(), feeds: try feeds(), state,
      by: WatchedRule(percent: options.watchedPercent), now: now)
    for _ in 0..<Self.maxPages {
      let page = try server.actions(since: next)
      matches.add(page.actions)
      notes.skipped += page.skipped
      // A timestamp in the future, from a device with a wrong clock, must not skip later actions.
      let told = min(page.timestamp ?? now.seconds, now.seconds)
      guard page.rows >= SyncServer.fullPage else {
        next = max(next, told, options.isFull ? 0 : state.actionsSince)
        break
      }
      // gpodder.net returns the oldest 1000 actions at or after `since`. More than 1000 actions in
      // one second would return the same page forever.
      if told <= next { notes.hasSkippedSeconds = true }
      guard next < now.seconds else { break }
      next = told > next ? told : next + 1
    }
    notes.unmatched = matches.unmatched
    state.actionsSince = next
    if since.isLookBack { state.lastLookback = now }
    try merge(matches.episodes, report)
  }

  /// Returns the `since` of the first request.
  ///
  /// Almost all servers compare `since` with the time of the action, so actions that a device sent
  /// late would be missed. Therefore the last 14 days are queried again once a day. A feed that was
  /// first read after the last sync causes a query from the start: the server may have older
  /// actions of its episodes.
  private func since(now: Timestamp) throws -> (value: Int64, isLookBack: Bool) {
    guard !options.isFull, let synced = state.synced else { return (0, true) }
    if try feeds().contains(where: { $0.initialImport.map { $0 > synced } ?? false }) {
      return (0, true)
    }
    let isDue =
      state.lastLookback.map { last in
        last > now || last.adding(milliseconds: Self.lookbackInterval) <= now
      } ?? true
    guard isDue else { return (state.actionsSince, false) }
    return (max(0, state.actionsSince - Self.lookbackWindow), true)
  }

  /// Merges actions in transactions. The last transaction records the sync state.
  private func merge(
    _ matches: [ActionMatches.Match], _ report: (SyncEffect) throws -> Void
  ) throws {
    let waiting = Self.newest(of: try store.snapshot().outbox(of: .sync))
    var rest = matches[...]
    repeat {
      let batch = rest.prefix(Self.batch)
      rest = rest.dropFirst(batch.count)
      let isLast = rest.isEmpty
      if store.isDryRun {
        let effects = try store.update(.soon) { transaction in
          try apply(batch, waiting, in: &transaction)
        }
        for (effect, _) in effects { try report(effect.planned) }
      } else {
        let effects = try store.update(.durable) { transaction in
          transaction.origin = .sync
          let effects = try apply(batch, waiting, in: &transaction)
          if isLast { transaction.write(state.stored) }
          return effects
        }
        for (effect, episode) in effects
        where effect.change != .position || sidecars.includesWatched {
          try sidecars.writeMarks(of: episode.id)
        }
        for (effect, _) in effects { try report(effect) }
      }
    } while !rest.isEmpty
  }

  /// Applies the actions of a batch of episodes.
  private func apply(
    _ batch: ArraySlice<ActionMatches.Match>, _ waiting: [String: Timestamp],
    in transaction: inout StoreTransaction
  ) throws -> [(effect: SyncEffect, episode: Episode)] {
    var effects: [(SyncEffect, Episode)] = []
    for match in batch {
      guard var episode = try transaction.episode(match.id) else { continue }
      let key = episode.id.description
      let position = transaction.playbackPosition(of: episode.id)
      let times = [
        SyncMark(transaction.record(.sync, key))?.at, position?.at, waiting[key],
        // A mark from an import has no time, so the time of the login is used.
        episode.watchedAt ?? (episode.isWatched ? account.since : nil),
      ]
      var merge = WatchedMerge(
        isWatched: episode.isWatched, position: position, newest: times.compactMap { $0 }.max())
      let before = merge
      merge.apply(match.history)
      guard let newest = merge.newest, newest != before.newest else { continue }
      transaction.write(SyncMark(at: newest).stored(of: episode.id))
      if merge.isWatched != before.isWatched {
        episode.markWatched(merge.isWatched, at: merge.markedAt ?? newest)
        episode = transaction.recorded(episode)
        effects.append(
          (
            SyncEffect(.incoming, merge.isWatched ? .watched : .unwatched, id: key, at: newest),
            episode
          )
        )
      }
      guard merge.position?.milliseconds != before.position?.milliseconds else { continue }
      if let position = merge.position {
        transaction.write(StoredRecord(kind: .position, id: key, fields: position.record))
        effects.append(
          (
            SyncEffect(.incoming, .position, id: key, position: position.milliseconds, at: newest),
            episode
          ))
      } else {
        transaction.delete(.position, key)
        if merge.isWatched == before.isWatched {
          effects.append(
            (SyncEffect(.incoming, .position, id: key, position: 0, at: newest), episode))
        }
      }
    }
    return effects
  }

  /// Returns the newest time of the playback events of each episode.
  private static func newest(of events: [OutboxEvent]) -> [String: Timestamp] {
    var times: [String: Timestamp] = [:]
    for event in events where [.played, .watched, .unwatched].contains(event.step) {
      times[event.episode] = max(times[event.episode] ?? event.at, event.at)
    }
    return times
  }
}

extension SyncEffect {
  /// The effect with the result `planned`.
  var planned: SyncEffect {
    var effect = self
    effect.result = .planned
    return effect
  }
}

/// The library's episodes that match the actions of other devices.
///
/// Pages are added one by one. The actions of other episodes are dropped at once, so a long history
/// needs memory only for the episodes that the library has.
struct ActionMatches {
  /// An episode with its actions.
  struct Match {
    let id: EpisodeID
    var history = WatchedHistory()
  }

  /// The matching episodes, in the order of their first actions.
  private(set) var episodes: [Match] = []
  private let snapshot: StoreSnapshot
  private let feeds: [Subscription]
  private let state: SyncState
  private let rule: WatchedRule
  private let now: Timestamp
  private var indices: [EpisodeID: Int] = [:]
  /// The places by the addresses and guids in actions.
  private var known: [String: Int] = [:]
  /// The hash values of the addresses and guids without a unique match. They are random for each
  /// process, so a server cannot choose equal ones.
  private var foreign: Set<Int> = []

  /// Creates an empty list of matches.
  ///
  /// - Parameter now: replaces the times of actions from devices whose clocks are ahead.
  init(
    in snapshot: StoreSnapshot, feeds: [Subscription], _ state: SyncState, by rule: WatchedRule,
    now: Timestamp
  ) {
    self.snapshot = snapshot
    self.feeds = feeds
    self.state = state
    self.rule = rule
    self.now = now
  }

  /// The number of episodes in the actions without a unique match in the library.
  var unmatched: Int { foreign.count }

  /// Matches actions to episodes: by guid and feed, else by the URL of the video without tracking
  /// parameters.
  mutating func add(_ actions: [SyncAction]) {
    for action in actions where action.kind == .play || action.kind == .new {
      guard let position = index(of: action) else { continue }
      episodes[position].history.add(action, by: rule, now: now)
    }
  }

  private mutating func index(of action: SyncAction) -> Int? {
    let key = "\(action.podcast)\n\(action.episode)\n\(action.guid ?? "")"
    if let position = known[key] { return position }
    guard !foreign.contains(key.hashValue) else { return nil }
    guard let id = Self.find(action, in: snapshot, feeds: feeds, state: state) else {
      foreign.insert(key.hashValue)
      return nil
    }
    let position = indices[id] ?? episodes.count
    if position == episodes.count { episodes.append(Match(id: id)) }
    (indices[id], known[key]) = (position, position)
    return position
  }

  private static func find(
    _ action: SyncAction, in snapshot: StoreSnapshot, feeds: [Subscription], state: SyncState
  ) -> EpisodeID? {
    let podcast = FeedAddress.normalised(action.podcast)
    if let guid = action.guid {
      let named = feeds.filter { state.isFeed($0, at: podcast) }.map(\.identity)
      let keys = Set(named + [podcast]).map { IdentityKey.feedItem(feed: $0, guid: guid) }
      let ids = Set(snapshot.find(keys))
      if ids.count == 1 { return ids.first }
    }
    do throws(Failure) {
      let url = try WebURL(action.episode.trimmed)
      let ids = Set(snapshot.find([.source(url.withoutTracking)]))
      return ids.count == 1 ? ids.first : nil
    } catch {
      return nil
    }
  }
}
