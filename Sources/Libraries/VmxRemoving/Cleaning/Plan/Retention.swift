package import VmxModel
import VmxStore

/// The rules that select episodes to remove; an episode must match all of them.
package struct RetentionRules: Sendable, Equatable {
  /// The number of newest episodes to keep for each show, or for the feed of the query; nil for no
  /// such rule.
  package var keepLast: Int?
  /// The age in milliseconds, since its arrival, from which an episode is removed; nil for no such
  /// rule.
  package var olderThan: Int64?
  /// The time in milliseconds since it was watched from which an episode is removed; nil for no
  /// such rule.
  package var watchedFor: Int64?
  /// The number of bytes to be free on the disk of each root; nil for no such rule.
  package var free: ByteCount?
  /// Whether `free` also removes episodes that were not watched.
  package var freesUnwatched = false
  /// Whether episodes marked to be kept are exempt from all other rules.
  package var excludesKept = true
  /// Whether favourite shows are exempt from all other rules.
  package var keepsFavourites = true
  /// The number of unwatched episodes that a show's own rule keeps, while it removes the watched
  /// ones; nil for no such rule.
  var keepNext: Int?
  /// The query that restricts the candidates.
  package var query = EpisodeQuery()

  /// No rules: no episode is removed.
  package init() {}

  /// Creates the rule of a feed; nil if it has none.
  init?(_ feed: Subscription) {
    guard let keepLast = feed.keepLast else { return nil }
    self.keepLast = Int(clamping: keepLast)
    query.feed = feed.id
  }

  /// Creates the rule of a show; nil if it has none. The rule was made for this very show, so it
  /// also applies to a favourite show.
  init?(_ show: LibraryShow) {
    guard let keepNext = show.keepNext, keepNext > 0 else { return nil }
    self.keepNext = Int(clamping: keepNext)
    keepsFavourites = false
    query.prefix = "\(show.slug)/"
    query.isWatched = true
  }

  /// Whether no rule selects an episode. `isWatched` is both a rule and a filter.
  package var isEmpty: Bool {
    keepLast == nil && olderThan == nil && watchedFor == nil && free == nil
      && query.isWatched != true
  }

  /// The reason that is recorded for a removed episode.
  var reason: EpisodeRemoval.Reason {
    if free != nil { return .space }
    return query.isWatched == true || watchedFor != nil ? .watched : .rule
  }

  /// Returns the reason for removing an episode, as text for the user.
  func explanation(_ candidate: Candidate, now: Timestamp) -> String {
    var reasons: [String] = []
    if let watchedFor {
      reasons.append("watched more than \(DurationText.text(of: watchedFor)) ago")
    } else if candidate.isWatched {
      reasons.append("watched")
    }
    if let olderThan { reasons.append("on disk for more than \(DurationText.text(of: olderThan))") }
    if let keepLast {
      let group = query.feed.map { "the feed '\($0)'" } ?? "its show"
      reasons.append("not among the newest \(keepLast) of \(group)")
    }
    if let keepNext { reasons.append("its show keeps the next \(keepNext)") }
    if let free { reasons.append("to free \(free.forPeople)") }
    return reasons.joined(separator: ", ")
  }
}

/// Selects the episodes to remove by rules. Episodes marked to be kept, and episodes of favourite
/// shows, count among the newest of a show. They are removed only if the rules say so.
struct Retention {
  /// An episode to remove.
  struct Choice: Equatable {
    let id: EpisodeID
    let rev: Int64
    /// The number of bytes of its files; with `free`, of those that its removal frees.
    var bytes: Int64
    let explanation: String
  }

  private let rules: RetentionRules
  private let snapshot: StoreSnapshot
  private let now: Timestamp
  private var ids = PackedTexts()
  private var candidates: [Candidate] = []

  /// Collects the candidates for the rules.
  ///
  /// - Parameter roots: the roots whose files may be removed; an episode with a file elsewhere is
  ///   not a candidate.
  /// - Throws: the errors of the store.
  init(_ rules: RetentionRules, in snapshot: StoreSnapshot, roots: Set<String>, now: Timestamp)
    throws
  {
    self.rules = rules
    self.snapshot = snapshot
    self.now = now
    var query = rules.query
    // The newest episodes of a show are determined among all its episodes, not only among the
    // watched ones.
    if rules.keepLast != nil { query.isWatched = nil }
    query.states = [.ready]
    let favourites = rules.keepsFavourites ? snapshot.favouriteShows : []
    try snapshot.episodes(matching: query) { episode in
      let held = episode.parts.filter { $0.path != nil }
      guard held.allSatisfy({ roots.contains($0.root ?? "") }) else { return true }
      // An episode that is being watched again has a position.
      let isSpared =
        (rules.excludesKept && episode.isKept) || favourites.contains(episode.id.show)
        || (rules.keepNext != nil && snapshot.playbackPosition(of: episode.id) != nil)
      candidates.append(
        Candidate(
          episode, index: ids.count, bytes: held.compactMap { $0.size?.bytes }.clampedSum(),
          isExempt: isSpared))
      ids.append(episode.id.description)
      return true
    }
  }

  /// Returns the episodes that the rules remove, in order.
  func choices() -> [Choice] { removable().compactMap { choice($0, bytes: $0.bytes) } }

  /// Returns as many of the episodes to remove as free the space, or all that free some of it.
  ///
  /// - Parameters:
  ///   - need: the number of bytes to free.
  ///   - links: returns the file of a part.
  /// - Throws: the errors of the store.
  func choices(freeing need: Int64, links: @escaping FreedSpace.Links) throws -> [Choice] {
    var space = FreedSpace(in: snapshot, links: links)
    var left = need
    var chosen: [(choice: Choice, held: [FreedSpace.FileID])] = []
    for candidate in removable() where left > 0 {
      guard var choice = choice(candidate, bytes: 0),
        let episode = try snapshot.episode(choice.id)
      else { continue }
      let removed = space.remove(episode.parts)
      choice.bytes = removed.bytes
      chosen.append((choice, removed.held))
      left -= removed.bytes
    }
    // An episode that frees nothing itself is removed only for the last owner of its file.
    return chosen.filter { $0.choice.bytes > 0 || $0.held.contains(where: space.isFreed) }
      .map(\.choice)
  }

  private func choice(_ candidate: Candidate, bytes: Int64) -> Choice? {
    EpisodeID(valid: ids[candidate.index]).map {
      Choice(
        id: $0, rev: candidate.rev, bytes: bytes,
        explanation: rules.explanation(candidate, now: now))
    }
  }

  /// Returns the episodes that may be removed, in order: watched episodes first, then the oldest.
  private func removable() -> [Candidate] {
    let limit = rules.olderThan.map { now.adding(milliseconds: -$0).milliseconds }
    let watchedLimit = rules.watchedFor.map { now.adding(milliseconds: -$0).milliseconds }
    return beyondNewest().filter { candidate in
      !candidate.isExempt
        && (watchedLimit.map { candidate.isWatched && candidate.watchedAt < $0 } ?? true)
        && (limit.map { candidate.since < $0 } ?? true)
        && (rules.query.isWatched.map { candidate.isWatched == $0 } ?? true)
        && (rules.free == nil || rules.freesUnwatched || candidate.isWatched)
    }
    .sorted { left, right in
      left.isWatched == right.isWatched
        ? (left.since, left.index) < (right.since, right.index) : left.isWatched
    }
  }

  private func beyondNewest() -> [Candidate] {
    guard let keepLast = rules.keepLast else { return candidates }
    // A feed may have episodes of several shows.
    return Dictionary(grouping: candidates) { rules.query.feed == nil ? $0.show : 0 }.values.flatMap
    {
      show in
      show.sorted(by: Self.order(of: show)).dropFirst(keepLast)
    }
  }

  /// Returns the order of a show, newest first: by day if all episodes have one, else by number if
  /// all have one, else by day. The day of arrival then stands for an unknown day.
  private static func order(of show: [Candidate]) -> (Candidate, Candidate) -> Bool {
    func key(_ candidate: Candidate) -> Int64 {
      if hasDays { return candidate.day ?? candidate.dayOfArrival }
      return hasNumbers ? candidate.number ?? 0 : candidate.since
    }
    let hasNumbers = show.allSatisfy { $0.number != nil }
    let hasDays =
      show.allSatisfy { $0.day != nil } || !hasNumbers && show.contains { $0.day != nil }
    return { left, right in (key(left), left.index) > (key(right), right.index) }
  }
}

/// An episode that may be removed, small enough to select among a million.
struct Candidate: Sendable {
  /// Its index among the inspected episodes.
  let index: Int
  /// The `StableHash` of its show.
  let show: UInt64
  let rev: Int64
  let bytes: Int64
  /// The day of its first showing as a sortable number; nil if unknown.
  let day: Int64?
  /// The season and number as one sortable number; nil if unknown.
  let number: Int64?
  /// The time of its arrival, in milliseconds since 1970.
  let since: Int64
  /// The day of the record's first line, as a sortable number.
  let dayOfArrival: Int64
  let isWatched: Bool
  /// The time at which it was watched, in milliseconds since 1970; that of its arrival if unknown.
  let watchedAt: Int64
  let isExempt: Bool

  init(_ episode: Episode, index: Int, bytes: Int64, isExempt: Bool) {
    self.index = index
    self.bytes = bytes
    self.isExempt = isExempt
    show = StableHash.of(episode.id.show)
    rev = episode.rev
    day = episode.date.flatMap { Int64($0.description.filter(\.isNumber)) }
    dayOfArrival = Int64(episode.added.text.prefix(10).filter(\.isNumber)) ?? 0
    number = episode.season.flatMap { season in
      episode.number.map { min(season, 1 << 20) << 32 + min($0, 1 << 31) }
    }
    let arrival = episode.trail.last { $0.to == .ready }?.at ?? episode.added
    // A file that arrived while the clock was not set is not old.
    since = TrustedClock.isSet(arrival) ? arrival.milliseconds : .max
    watchedAt = (episode.watchedAt ?? arrival).milliseconds
    isWatched = episode.isDoneWith
  }
}
