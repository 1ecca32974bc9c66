package import VmxModel
package import VmxStore

/// A request of the user to the queue, applied to each episode in turn.
package enum QueueAction: Sendable, Equatable {
  /// A mark that can be set or cleared.
  package enum Mark: String, Sendable, CaseIterable {
    case keep, watched
    case meteredOK = "metered-ok"
  }

  /// Requests the episode.
  case add
  /// Withdraws the request; fetched files are kept.
  case drop
  /// Puts the episode on hold; fetched files are kept.
  case pause
  /// Resumes an episode on hold.
  case resume
  /// Withdraws the request and discards unfinished parts.
  case cancel
  /// Retries parts that failed or wait.
  case retry
  /// Sets the priority.
  case priority(Int64)
  /// Adds predecessors; an empty list removes all of them.
  case after([EpisodeID])
  /// Sets or clears marks.
  case mark([Mark: Bool])
  /// Sets the age rating; nil removes it, so that the rating of the show counts.
  case rate(AgeRating?)
}

extension QueueAction {
  /// Changes an episode as requested.
  ///
  /// - Parameters:
  ///   - now: the time of the transitions that are added to its trail.
  ///   - others: the lookup for episodes by id.
  /// - Returns: `done`; or `unchanged` if the record already had that content, or the request is
  ///   refused.
  /// - Throws: `no-such-episode` or `after-cycle` for an episode that cannot be its predecessor,
  ///   `expired` for a requested episode that may no longer be watched, and errors of the lookup.
  package func apply(
    to episode: inout Episode, now: Timestamp, among others: any EpisodeLookup
  ) throws -> OperationResult {
    let before = episode
    var hint: String?
    switch self {
    case .add: try episode.add(now: now)
    case .drop: hint = episode.withdraw()
    case .pause: hint = episode.pause()
    case .resume: hint = episode.resume()
    case .cancel: hint = episode.cancel(now: now)
    case .retry: hint = episode.retry(now: now)
    case .priority(let priority): episode.priority = priority
    case .after(let ids): try episode.wait(for: ids, among: others)
    case .rate(let rating): episode.ageRating = rating
    case .mark(let marks):
      for (mark, isSet) in marks { episode.set(mark, to: isSet, now: now) }
      episode.recordTimes(ofValuesSince: before, at: now)
    }
    return episode == before ? .unchanged(hint: hint) : .done
  }
}

extension Episode {
  fileprivate mutating func set(_ mark: QueueAction.Mark, to isSet: Bool, now: Timestamp) {
    switch mark {
    case .keep: isKept = isSet
    case .watched: markWatched(isSet, at: now)
    case .meteredOK: isMeteredOK = isSet
    }
  }
}

/// The episodes that must be ready before another one. The relation never has a cycle.
extension Episode {
  /// Adds predecessors to the episode; an empty list removes all of them.
  ///
  /// - Throws: `no-such-episode`, `after-cycle`, and errors of the lookup.
  mutating func wait(
    for ids: [EpisodeID], among others: any EpisodeLookup
  ) throws {
    if ids.isEmpty { after = [] }
    for id in ids {
      guard let other = try others.episode(id) else {
        throw Failure.noSuchEpisode(id)
      }
      guard try !other.id.comes(after: self.id, among: others) else {
        throw Failure(
          .afterCycle, "'\(other.id)' and '\(self.id)' would wait for each other",
          hint: "run 'vmx queue after \(other.id) --none' to remove its dependencies")
      }
      if !after.contains(other.id) { after.append(other.id) }
    }
  }
}

extension EpisodeID {
  /// Whether the id equals `goal`, or its episode waits for `goal` directly or transitively.
  fileprivate func comes(
    after goal: EpisodeID, among others: any EpisodeLookup
  ) throws -> Bool {
    var seen: Set<EpisodeID> = [self]
    var open = [self]
    while let next = open.popLast() {
      if next == goal { return true }
      for id in try others.episode(next)?.after ?? [] {
        let id = try others.episode(id)?.id ?? id
        if seen.insert(id).inserted { open.append(id) }
      }
    }
    return false
  }
}
