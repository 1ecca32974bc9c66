package import VmxModel

/// What a person asks of the queue, for one episode after another.
package enum QueueAction: Sendable, Equatable {
  /// A mark that is set or taken off.
  package enum Mark: String, Sendable, CaseIterable {
    case keep, watched
    case meteredOK = "metered-ok"
  }

  /// Want it fetched.
  case add
  /// Want it no longer; what is here stays.
  case drop
  /// Not now; what is here stays.
  case pause
  /// Let what is on hold go on.
  case resume
  /// Want it no longer, and forget what is unfinished.
  case cancel
  /// Try again what failed or waits.
  case retry
  /// Give it a priority.
  case priority(Int64)
  /// Let it wait for other episodes too, or for none any longer where there are none.
  case after([EpisodeID])
  /// Set marks or take them off.
  case mark([Mark: Bool])
}

/// What a request came to for one episode.
package enum QueueVerdict: Sendable, Equatable {
  /// The record says now what was asked for.
  case changed
  /// It did so before, or must not; the hint says how to lift what stands against it.
  case unchanged(hint: String?)
}

extension QueueAction {
  /// Changes an episode as asked.
  ///
  /// - Parameters:
  ///   - now: the moment of the steps that its trail remembers.
  ///   - others: where the episodes are that ids lead to.
  /// - Throws: `no-such-episode` or `after-cycle` for an episode that cannot come before it, and
  ///   what looking others up throws.
  package func apply(
    to episode: inout Episode, now: Timestamp, among others: any EpisodeLookup
  ) throws -> QueueVerdict {
    let before = episode
    var hint: String?
    switch self {
    case .add: episode.add(now: now)
    case .drop: hint = episode.drop()
    case .pause: hint = episode.pause()
    case .resume: hint = episode.resume()
    case .cancel: hint = episode.cancel(now: now)
    case .retry: hint = episode.retry(now: now)
    case .priority(let priority): episode.priority = priority
    case .after(let ids): try episode.wait(for: ids, among: others)
    case .mark(let marks): for (mark, isSet) in marks { episode.set(mark, to: isSet) }
    }
    return episode == before ? .unchanged(hint: hint) : .changed
  }
}

extension Episode {
  fileprivate mutating func set(_ mark: QueueAction.Mark, to isSet: Bool) {
    switch mark {
    case .keep: isKept = isSet
    case .watched: isWatched = isSet
    case .meteredOK: isMeteredOK = isSet
    }
  }
}
