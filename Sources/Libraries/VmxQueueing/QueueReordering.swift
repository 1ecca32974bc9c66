package import VmxModel
import VmxStore

/// A destination within the queue.
package enum QueueDestination: Sendable, Equatable {
  /// Before all other queued episodes.
  case first
  /// After all other queued episodes.
  case last
  /// Before this episode.
  case before(EpisodeID)
}

// A moved episode gets the priority of its new neighbour, and a place one nanosecond before or
// after it. Favourites precede others of the same priority regardless of the place. If only one of
// the two is a favourite, the priority moves one step further. Other episodes are renumbered only
// if places collide on the same nanosecond.

/// The new queue orders that a move results in.
struct QueueReordering {
  private typealias Member = QueueSlice.Member

  /// The new queue orders, by episode.
  private(set) var orders: [EpisodeID: QueueOrder] = [:]

  /// Plans the move of episodes, which keep their given order.
  ///
  /// - Throws: `no-such-episode` if the target is not in the queue.
  init(of ids: [EpisodeID], to goal: QueueDestination, in line: QueueSlice) throws(Failure) {
    let moving = ids.compactMap { line.moving[$0] }
    switch goal {
    case .first: insert(moving, before: line.first?.order)
    case .last: insert(moving, after: line.last?.order)
    case .before(let id):
      guard let target = line.target else {
        throw Failure(
          .noSuchEpisode, "'\(id)' is not in the queue",
          hint: "run 'vmx queue add \(id)' to request it")
      }
      insert(moving, before: target.order, makingRoomAmong: line.neighbours)
    }
  }

  private mutating func insert(_ members: [Member], before order: QueueOrder?) {
    var next = order
    for member in members.reversed() {
      let order = next.map { member.order < $0 ? member.order : Self.step(member, before: $0) }
      orders[member.id] = order ?? member.order
      next = order ?? member.order
    }
  }

  private mutating func insert(_ members: [Member], after order: QueueOrder?) {
    var previous = order
    for member in members {
      let order = previous.map { $0 < member.order ? member.order : Self.step(member, after: $0) }
      orders[member.id] = order ?? member.order
      previous = order ?? member.order
    }
  }

  private mutating func insert(
    _ members: [Member], before order: QueueOrder, makingRoomAmong neighbours: [Member]
  ) {
    var next = order
    for member in members.reversed() {
      let isPeer = member.order.isFavourite == order.isFavourite
      let isThere = !isPeer && member.order < next
      let moved = isThere ? member.order : Self.step(member, before: next)
      orders[member.id] = moved
      if isPeer { next = moved }
    }
    let peers = neighbours.filter {
      $0.order.isFavourite == next.isFavourite && $0.order.priority == next.priority
        && $0.order < order
    }
    for peer in peers.sorted(by: { $1.order < $0.order }) {
      guard next < peer.order else { break }
      var moved = peer.order
      moved.place = next.place.subtracting(peer.order.line < next.line ? 0 : 1)
      orders[peer.id] = moved
      next = moved
    }
  }

  private static func step(_ member: Member, before next: QueueOrder) -> QueueOrder {
    var order = member.order
    order.priority = next.priority
    if order.isFavourite == next.isFavourite {
      order.place = next.place.subtracting(1)
    } else if next.isFavourite {
      order.priority = next.priority.subtracting(-1)
    }
    return order
  }

  private static func step(_ member: Member, after previous: QueueOrder) -> QueueOrder {
    var order = member.order
    order.priority = previous.priority
    if order.isFavourite == previous.isFavourite {
      order.place = previous.place.subtracting(-1)
    } else if order.isFavourite {
      order.priority = previous.priority.subtracting(1)
    }
    return order
  }
}

extension QueueEditor {
  /// Moves episodes within the queue; they keep their given order.
  ///
  /// - Returns: the result for each episode, durable.
  /// - Throws: `no-such-episode` if the target is not in the queue, and errors of the store.
  package func move(
    _ ids: [EpisodeID], to goal: QueueDestination
  ) throws -> [EpisodeResult] {
    let snapshot = try store.snapshot()
    let known = try ids.compactMap { try snapshot.resolve($0) }
    var target: Episode?
    if case .before(let id) = goal {
      target = try snapshot.episode(id)
      if let target, known.contains(target.id) {
        throw Failure(
          .usage, "cannot move '\(id)' before itself", hint: "give another episode to '--before'")
      }
    }
    let line = try QueueSlice(snapshot, moving: Set(known), before: target)
    let plan = try QueueReordering(of: known, to: goal, in: line)
    try renumber(plan.orders.filter { line.moving[$0.key] == nil })
    return try inBatches(ids) { batch in
      try changes(of: batch) { episode, _ in
        guard let order = plan.orders[episode.id] else {
          return .unchanged(hint: episode.hintOutOfLine)
        }
        return episode.apply(order)
      }
    }
  }

  private func renumber(_ orders: [EpisodeID: QueueOrder]) throws {
    _ = try inBatches(orders.keys.sorted()) { batch in
      try changes(of: batch) { episode, _ in
        orders[episode.id].map { episode.apply($0) } ?? .unchanged(hint: nil)
      }
    }
  }
}

extension Episode {
  fileprivate mutating func apply(_ order: QueueOrder) -> OperationResult {
    guard order.priority != priority || order.place != resolvedPlace else {
      return .unchanged(hint: nil)
    }
    priority = order.priority
    place = order.place
    return .done
  }

  fileprivate var hintOutOfLine: String? {
    switch want {
    case .fetch, .hold: nil
    case .none, .gone: "not in the queue; run 'vmx queue add \(id)' to request it"
    }
  }
}
