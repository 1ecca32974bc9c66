import VmxJobs
import VmxModel
import VmxStore

/// Chooses by rules which episodes go. What is marked to be kept, and favourite shows, count among
/// the newest of a show but never go, unless the rules say so.
struct Retention {
  /// An episode that is to go.
  struct Choice: Equatable {
    let id: EpisodeID
    let rev: Int64
    let bytes: Int64
    let why: String
  }

  private let rules: RetentionRules
  private let now: Timestamp
  private var ids = PackedTexts()
  private var candidates: [Candidate] = []

  /// What the rules are to choose from.
  ///
  /// - Parameter roots: the roots whose files may go; an episode with a file elsewhere stays.
  /// - Throws: what reading the store throws.
  init(_ rules: RetentionRules, in snapshot: StoreSnapshot, roots: Set<String>, now: Timestamp)
    throws
  {
    self.rules = rules
    self.now = now
    var query = rules.query
    // Which of a show are the newest is a question among all of them, and not of what is asked for.
    if rules.keepLast != nil { query.isWatched = nil }
    query.states = [.ready]
    let favourites = rules.sparesFavourites ? snapshot.favouriteShows : []
    try snapshot.episodes(matching: query) { episode in
      let held = episode.parts.filter { $0.path != nil }
      guard held.allSatisfy({ roots.contains($0.root ?? "") }) else { return true }
      let isSpared =
        (rules.sparesKept && episode.isKept) || favourites.contains(episode.id.show)
      candidates.append(
        Candidate(
          episode, place: ids.count, bytes: held.compactMap { $0.size?.bytes }.clampedSum(),
          isSpared: isSpared))
      ids.append(episode.id.description)
      return true
    }
  }

  /// Those that go, in the order in which they go: what was watched first, then the oldest.
  ///
  /// - Parameter need: bytes that are to become free; nil where that is no rule.
  func choices(need: Int64?) -> [Choice] {
    let limit = rules.olderThan.map { now.adding(milliseconds: -$0).milliseconds }
    let going = beyondNewest().filter { candidate in
      !candidate.isSpared && (limit.map { candidate.since < $0 } ?? true)
        && (rules.query.isWatched.map { candidate.isWatched == $0 } ?? true)
    }
    .sorted { left, right in
      left.isWatched == right.isWatched
        ? (left.since, left.place) < (right.since, right.place) : left.isWatched
    }
    var left = need ?? .max
    var choices: [Choice] = []
    for candidate in going where left > 0 {
      guard let id = EpisodeID(valid: ids[candidate.place]) else { continue }
      choices.append(
        Choice(
          id: id, rev: candidate.rev, bytes: candidate.bytes,
          why: rules.why(candidate, now: now)))
      left -= candidate.bytes
    }
    return choices
  }

  private func beyondNewest() -> [Candidate] {
    guard let keepLast = rules.keepLast else { return candidates }
    return Dictionary(grouping: candidates, by: \.show).values.flatMap { show in
      show.sorted(by: Self.order(of: show)).dropFirst(keepLast)
    }
  }

  /// Newest first: by day where all of a show have one, else by number, else by arrival.
  private static func order(of show: [Candidate]) -> (Candidate, Candidate) -> Bool {
    func key(_ candidate: Candidate) -> Int64 {
      if hasDays { return candidate.day ?? 0 }
      return hasNumbers ? candidate.number ?? 0 : candidate.since
    }
    let hasDays = show.allSatisfy { $0.day != nil }
    let hasNumbers = show.allSatisfy { $0.number != nil }
    return { left, right in (key(left), left.place) > (key(right), right.place) }
  }
}
