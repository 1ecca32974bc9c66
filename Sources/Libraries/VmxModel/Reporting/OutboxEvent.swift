/// A step of an episode that a backend is told of; the raw value is stored and sent.
package enum OutboxStep: String, Sendable, CaseIterable, FieldValue {
  /// It is wanted, and waits for its transfer.
  case queued
  /// Its first bytes are fetched.
  case started
  /// It was put on hold.
  case paused
  /// Its transfer failed; the event has the code.
  case failed
  /// Its files are here, whole and verified.
  case ready
  /// It was played; the event has the position where it ended.
  case played
  /// It was watched to its end, or marked so.
  case watched
  /// The mark that it was watched was taken back.
  case unwatched
  /// It is not wanted any more, and never became ready.
  case dropped
  /// Its files are no longer here.
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

  /// Whether it is told of a step: the servers of `vmx sync` have a word for few.
  package func isTold(of step: OutboxStep) -> Bool {
    switch (self, step) {
    case (.report, _), (.sync, .ready), (.sync, .played), (.sync, .watched), (.sync, .unwatched),
      (.sync, .deleted):
      true
    case (.sync, _): false
    }
  }
}

/// A step of an episode that is still to be told to a backend: a record of kind `outbox`, written in
/// the same transaction as the step.
///
///     for event in store.snapshot().outbox(of: .report) { print(event.step, event.episode) }
package struct OutboxEvent: Sendable, Equatable {
  /// The random key, unique among all events: by it a backend recognises an event that comes twice.
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
  /// The position where playback ended, in milliseconds from the start.
  package var position: Int64?
  /// The length of the video in milliseconds.
  package var duration: Int64?
  /// The id of the feed in the store.
  package var feed: String?
  /// The URL of the video, as its feed gives it. Only `vmx sync` needs it.
  package var url: String?
  /// The guid of the episode in its feed. Only `vmx sync` needs it.
  package var guid: String?
  /// The number of earlier events of the episode that this one stands for; 0 for none.
  package var omitted: Int64 = 0
  /// The place in the order of events, if it is not that of its line.
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
      url = episode.parts.first { $0.role == .video }?.variants.first?.sources.first?.url
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
