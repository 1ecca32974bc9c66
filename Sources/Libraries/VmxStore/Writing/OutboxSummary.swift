package import VmxModel

// A backend may be away for months. Then the events of an episode beyond the limit are replaced by
// the last of each kind, which tells how many it stands for. So their number is bounded by that of
// the episodes, and the last state of each is still told.

extension LibraryStore {
  /// The number of events of a backend from which those of an episode are replaced by the last of each
  /// kind.
  package static let mostEvents = 10_000

  /// Returns the events of a backend, after too many of them were replaced, durably.
  ///
  /// - Parameter limit: the number of events beyond which they are.
  /// - Throws: errors of the store.
  package func shortenedOutbox(
    of backend: OutboxBackend, limit: Int = mostEvents
  ) throws -> [OutboxEvent] {
    let events = try snapshot().outbox(of: backend)
    let summary = OutboxSummary(of: events, limit: limit)
    guard !summary.dropped.isEmpty else { return events }
    try prepareForMany()
    try update(.durable, room: .useReserve) { transaction in
      for id in summary.dropped { transaction.delete(.outbox, id) }
      for event in summary.changed {
        transaction.put(StoredRecord(kind: .outbox, id: event.id, fields: event.record))
      }
    }
    return summary.kept
  }
}

/// The events that remain of too many, and those that they stand for.
struct OutboxSummary {
  /// The events that remain, in their order.
  private(set) var kept: [OutboxEvent] = []
  /// The remaining events that now stand for others.
  private(set) var changed: [OutboxEvent] = []
  /// The ids of the records that are replaced.
  private(set) var dropped: [String] = []

  /// Shortens the oldest events until at most `limit` are left, if that is possible.
  init(of events: [OutboxEvent], limit: Int) {
    guard events.count > limit else {
      kept = events
      return
    }
    // Half of the limit stays free, or each further event would start this again.
    let old = events.dropLast(limit / 2)
    var last: [Subject: Int] = [:]
    for (index, event) in old.enumerated() { last[Subject(event)] = index }
    var counts: [Subject: Int64] = [:]
    for (index, event) in old.enumerated() {
      let subject = Subject(event)
      guard last[subject] == index else {
        counts[subject, default: 0] += event.omitted.addingClamped(1)
        dropped.append(event.id)
        continue
      }
      var event = event
      if let count = counts[subject] {
        event.omitted = event.omitted.addingClamped(count)
        changed.append(event)
      }
      kept.append(event)
    }
    kept += events.suffix(limit / 2)
  }

  /// A step of an episode, for which one event stands.
  private struct Subject: Hashable {
    let episode: String
    let step: OutboxStep

    init(_ event: OutboxEvent) {
      episode = event.episode
      step = event.step
    }
  }
}
