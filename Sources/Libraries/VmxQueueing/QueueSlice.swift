import VmxModel
import VmxStore

/// The part of the queue (wanted, not ready) that a reordering needs.
struct QueueSlice {
  /// The range in nanoseconds before the target's place within which all members are collected. It
  /// exceeds the number of episodes that may have to be moved to make room.
  private static let window: Int64 = 1_000_000

  /// A queued episode.
  struct Member {
    let id: EpisodeID
    var order: QueueOrder
  }

  /// The first and the last of the episodes that are not moved.
  private(set) var first: Member?
  private(set) var last: Member?
  /// The episode before which others are moved.
  private(set) var target: Member?
  /// The episodes to be moved.
  private(set) var moving: [EpisodeID: Member] = [:]
  /// The episodes within `window` before the target, unsorted.
  private(set) var neighbours: [Member] = []

  /// Reads the queue from a snapshot.
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
        add(member, target)
      }
      return true
    }
  }

  private mutating func add(_ member: Member, _ target: Episode?) {
    if first.map({ member.order < $0.order }) ?? true { first = member }
    if last.map({ $0.order < member.order }) ?? true { last = member }
    guard let target else { return }
    if member.id == target.id {
      self.target = member
    } else if member.order.priority == target.priority, member.order.place <= target.resolvedPlace,
      member.order.place > target.resolvedPlace.subtracting(Self.window)
    {
      neighbours.append(member)
    }
  }
}

extension Int64 {
  /// Returns the difference, clamped to the smallest or largest representable number.
  func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}
