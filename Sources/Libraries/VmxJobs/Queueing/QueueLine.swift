import VmxModel
import VmxStore

/// What is wanted and not ready, as far as somebody who is to be moved has to know of it.
struct QueueLine {
  /// Nanoseconds before the place of the one that others go before, within which all are known:
  /// more than there can be episodes to make room.
  private static let reach: Int64 = 1_000_000

  /// One that stands in line.
  struct Member {
    let id: EpisodeID
    var order: QueueOrder
  }

  /// The first and the last of those that stay.
  private(set) var first: Member?
  private(set) var last: Member?
  /// The one that others are to go before.
  private(set) var target: Member?
  /// Those that are to be moved.
  private(set) var moving: [EpisodeID: Member] = [:]
  /// Those that stand shortly before the target, in no order.
  private(set) var neighbours: [Member] = []

  /// Reads the line out of a snapshot.
  init(_ snapshot: StoreSnapshot, moving ids: Set<EpisodeID>, before target: Episode?) throws {
    let favourites = snapshot.favouriteShows
    var query = EpisodeQuery()
    query.wants = [.fetch, .hold]
    query.states = Set(EpisodeState.allCases).subtracting([.ready])
    var line = 0
    try snapshot.episodes(matching: query) { episode in
      line += 1
      let isFavourite = favourites.contains(episode.id.show)
      let order = QueueOrder(of: episode, isFavourite: isFavourite, line: line)
      let member = Member(id: episode.id, order: order)
      if ids.contains(episode.id) {
        moving[episode.id] = member
      } else {
        take(member, target)
      }
      return true
    }
  }

  private mutating func take(_ member: Member, _ target: Episode?) {
    if first.map({ member.order < $0.order }) ?? true { first = member }
    if last.map({ $0.order < member.order }) ?? true { last = member }
    guard let target else { return }
    if member.id == target.id {
      self.target = member
    } else if member.order.priority == target.priority, member.order.place <= target.resolvedPlace,
      member.order.place > target.resolvedPlace.subtracting(Self.reach)
    {
      neighbours.append(member)
    }
  }
}

extension Int64 {
  /// The difference, or the smallest or largest number there is.
  func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}
