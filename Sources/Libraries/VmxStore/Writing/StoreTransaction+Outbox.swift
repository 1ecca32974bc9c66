package import VmxModel

extension StoreTransaction {
  /// Adds an event for each step of the changed episodes and each backend that is notified of it.
  mutating func addEvents(by rule: OutboxRule) {
    guard !rule.backends.isEmpty else { return }
    let played = playbacks.flatMap { episode, playback, only in
      rule.backends(of: episode.id).filter { only == nil || $0 == only }.map {
        event(.played, of: episode, for: $0, playback)
      }
    }
    let steps = changedEpisodes().flatMap { before, after -> [OutboxEvent] in
      guard let episode = after ?? before else { return [] }
      let backends = rule.backends(of: episode.id)
      guard !backends.isEmpty else { return [] }
      let steps = after.map { $0.steps(since: before) } ?? before?.stepsOfRemoval ?? []
      return steps.flatMap { step in
        backends.filter { $0.isNotified(of: step.step) }.map { backend in
          var event = event(step.step, of: episode, for: backend)
          event.code = step.code
          return event
        }
      }
    }
    for event in played + steps where event.backend != origin {
      add(StoredRecord(kind: .outbox, id: event.id, fields: event.record))
    }
  }

  private func event(
    _ step: OutboxStep, of episode: Episode, for backend: OutboxBackend, _ playback: Playback? = nil
  ) -> OutboxEvent {
    let key = Hex.text(of: .random(in: .min ... .max)) + Hex.text(of: .random(in: .min ... .max))
    var event = OutboxEvent(step, of: episode, for: backend, key: key, at: now)
    event.position = playback?.position
    event.duration = playback?.duration ?? event.duration
    return event
  }
}

extension StoreSnapshot {
  /// Returns the pending events of a backend in the order in which they were recorded. Damaged
  /// events are skipped.
  package func outbox(of backend: OutboxBackend) -> [OutboxEvent] {
    var events: [OutboxEvent] = []
    records(of: .outbox) { record in
      guard var event = OutboxEvent(record), event.backend == backend else { return true }
      // A rewritten event keeps its place in the order.
      event.place = event.place ?? record.seq
      events.append(event)
      return true
    }
    return events.sorted { ($0.place ?? 0) < ($1.place ?? 0) }
  }
}

extension OutboxEvent {
  /// Decodes a record; nil if it is not an event, or is from a later version and cannot be decoded.
  fileprivate init?(_ record: StoredRecord) {
    do throws(Failure) {
      self = try OutboxEvent.decoded(record.fields, id: record.id)
    } catch {
      return nil
    }
    guard id == record.id else { return nil }
  }
}
