package import VmxModel

// A backend may be unreachable for months. Above a limit the events of an episode are therefore
// replaced by the last of each kind, which records the number of events it replaces. So the number
// of episodes bounds the number of events, and the last state of each episode is still reported.

extension LibraryStore {
  /// The number of events of a backend above which those of an episode are replaced by the last of
  /// each kind.
  package static let maxEvents = 10_000

  /// Returns the events of a backend; if there are too many, replaces some of them durably first.
  ///
  /// - Parameter limit: the number of events above which some are replaced.
  /// - Throws: errors of the store.
  package func shortenedOutbox(
    of backend: OutboxBackend, limit: Int = maxEvents
  ) throws -> [OutboxEvent] {
    let events = try snapshot().outbox(of: backend)
    let summary = OutboxSummary(of: events, limit: limit)
    guard !summary.superseded.isEmpty else { return events }
    try prepareForMany()
    try update(.durable, room: .useReserve) { transaction in
      for id in summary.superseded { transaction.delete(.outbox, id) }
      for event in summary.changed {
        transaction.write(StoredRecord(kind: .outbox, id: event.id, fields: event.record))
      }
    }
    return summary.kept
  }
}

/// The events that are kept of too many, and those that are removed.
struct OutboxSummary {
  /// The events that are kept, in their order.
  private(set) var kept: [OutboxEvent] = []
  /// The kept events that now replace others.
  private(set) var changed: [OutboxEvent] = []
  /// The ids of the records that are replaced.
  private(set) var superseded: [String] = []

  /// Condenses the oldest events until at most `limit` are left, if that is possible.
  init(of events: [OutboxEvent], limit: Int) {
    guard events.count > limit else {
      kept = events
      return
    }
    // Only the newest half of the limit stays as it is; else each further event would repeat this.
    let old = events.dropLast(limit / 2)
    var last: [Subject: Int] = [:]
    for (index, event) in old.enumerated() { last[Subject(event)] = index }
    var counts: [Subject: Int64] = [:]
    for (index, event) in old.enumerated() {
      let subject = Subject(event)
      guard last[subject] == index else {
        counts[subject, default: 0] += event.omitted.addingClamped(1)
        superseded.append(event.id)
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

  /// A step of an episode, for which one event is kept.
  private struct Subject: Hashable {
    let episode: String
    let step: OutboxStep

    init(_ event: OutboxEvent) {
      episode = event.episode
      step = event.step
    }
  }
}
