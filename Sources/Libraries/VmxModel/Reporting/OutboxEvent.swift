/// A step of an episode that is reported to a backend; the raw value is stored and sent.
package enum OutboxStep: String, Sendable, CaseIterable, FieldValue {
  /// It is wanted, and waits for its transfer.
  case queued
  /// The fetch of its first bytes has begun.
  case started
  /// It was put on hold.
  case paused
  /// Its transfer failed; the event has the code.
  case failed
  /// Its files are complete and verified.
  case ready
  /// It was played; the event has the position at which playback ended.
  case played
  /// It was watched to its end, or marked as watched.
  case watched
  /// Its mark as watched was cleared.
  case unwatched
  /// It is no longer wanted, and never became ready.
  case dropped
  /// Its files were deleted.
  case deleted
  /// It may no longer be watched.
  case expired
}

/// A receiver of events; the raw value is stored.
package enum OutboxBackend: String, Sendable, CaseIterable, FieldValue {
  /// The backend of the setting `report.url`.
  case report
  /// The server of `vmx sync`.
  case sync

  /// Whether a step is reported to this backend: servers of `vmx sync` support only a few.
  package func isNotified(of step: OutboxStep) -> Bool {
    switch (self, step) {
    case (.report, _), (.sync, .ready), (.sync, .played), (.sync, .watched), (.sync, .unwatched),
      (.sync, .deleted):
      true
    case (.sync, _): false
    }
  }
}

/// A step of an episode that is yet to be reported to a backend: a record of kind `outbox`, written
/// in the same transaction as the step.
///
///     for event in try store.snapshot().outbox(of: .report) { print(event.step, event.episode) }
package struct OutboxEvent: Sendable, Equatable {
  /// The random key, unique among all events. By it a backend recognises a duplicate event.
  package var key: String
  /// The receiver.
  package var backend: OutboxBackend
  /// The step.
  package var step: OutboxStep
  /// The id of the episode at that time.
  package var episode: String
  /// The time of the step.
  package var at: Timestamp
  /// The code of a failure.
  package var code: ErrorCode?
  /// The position at which playback ended, in milliseconds from the start.
  package var position: Int64?
  /// The length of the video in milliseconds.
  package var duration: Int64?
  /// The id of the feed in the store.
  package var feed: String?
  /// The URL of the video, as its feed gives it. Only `vmx sync` needs it.
  package var url: String?
  /// The guid of the episode in its feed. Only `vmx sync` needs it.
  package var guid: String?
  /// The number of earlier events of the episode that this one replaces; 0 for none.
  package var omitted: Int64 = 0
  /// The position in the order of events, if it is not that of its line.
  package var place: Int64?
  /// Unknown fields of other versions.
  package var extra = JSONObject()

  /// Creates an event of an episode.
  package init(
    _ step: OutboxStep, of episode: Episode, for backend: OutboxBackend, key: String, at: Timestamp
  ) {
    self.init(key: key, backend: backend, step: step, episode: episode.id.description, at: at)
    duration = episode.duration
    if backend == .sync {
      feed = episode.feed
      guid = episode.guid
      url = episode.video?.variants.first?.sources.first?.url
    }
  }

  private init(
    key: String, backend: OutboxBackend, step: OutboxStep, episode: String, at: Timestamp
  ) {
    self.key = key
    self.backend = backend
    self.step = step
    self.episode = episode
    self.at = at
  }

  /// Decodes the fields of a record.
  ///
  /// - Throws: `store-damaged`.
  package static func decoded(_ fields: JSONObject, id: String) throws(Failure) -> OutboxEvent {
    var event = blank
    try event.decode(JSONValue.object(fields), Self.fields, in: RecordContext(subject: id))
    return event
  }

  /// The id of its record.
  package var id: String { "\(backend.rawValue)~\(key)" }
}

extension OutboxEvent: FieldRecord {
  /// The fields of an event in the store.
  package enum Field: String, RecordField {
    case key
    case backend = "to"
    case step
    case episode
    case at = "happened"
    case code
    case position = "position_ms"
    case duration = "duration_ms"
    case feed
    case url
    case guid
    case omitted
    case place
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: OutboxEvent {
    OutboxEvent(
      key: "", backend: .report, step: .queued, episode: "", at: Timestamp(seconds: 0))
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .key: try coder.field(&key, absent: "")
    case .backend: try coder.field(&backend, absent: .report)
    case .step: try coder.field(&step, absent: .queued)
    case .episode: try coder.field(&episode, absent: "")
    case .at: try coder.field(&at, absent: Timestamp(seconds: 0))
    case .code:
      var name = code?.rawValue
      try coder.field(&name)
      code = name.flatMap(ErrorCode.init)
    case .position: try coder.field(&position)
    case .duration: try coder.field(&duration)
    case .feed: try coder.field(&feed)
    case .url: try coder.field(&url)
    case .guid: try coder.field(&guid)
    case .omitted: try coder.field(&omitted, omitting: 0)
    case .place: try coder.field(&place)
    }
  }
}
