package import VmxModel

/// The fields of the result of a playback in listings.
package enum PlayField: String, ListingField {
  case id, outcome, watched, title, code, message
  case position = "position_ms"
  case duration = "duration_ms"

  package static let defaultFields: [PlayField] = [
    .id, .outcome, .position, .duration, .watched, .title,
  ]
  package static let recorded: [PlayField] = [.title, .watched, .position, .duration]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .outcome: .outcome
    case .watched: FieldKey(.boolean, "Whether it is marked as watched")
    case .title: FieldKey(.text, "The title", fitting: .end)
    case .code: .errorCode
    case .message: .errorMessage
    case .position:
      FieldKey(.milliseconds, "The position where playback resumes; absent for the start")
    case .duration: FieldKey(.milliseconds, "The duration of the video, if known")
    }
  }
}

/// The result of a playback, as a row of output.
package struct PlayRow: ResultRow {
  package let id: String
  private let episode: Episode
  package let result: OperationResult?
  private let position: Int64?
  private let duration: Int64?
  package let stage: String
  package let received: JSONObject

  /// Creates the row of a playback.
  ///
  /// - Parameters:
  ///   - episode: the episode as recorded after the playback.
  ///   - position: the position at which playback resumes, in milliseconds; nil for the start.
  ///   - duration: the length of the video in milliseconds, if known.
  ///   - stage: the name of the command.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ episode: Episode, _ result: OperationResult, position: Int64?, duration: Int64?,
    stage: String, received: JSONObject
  ) {
    id = episode.id.description
    self.episode = episode
    self.result = result
    self.position = position
    self.duration = duration
    self.stage = stage
    self.received = received
  }

  package static var known: Set<String> { EpisodeJSON.known.union(["position_at"]) }

  package func value(_ field: PlayField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .watched: .flag(episode.isWatched)
    case .title: .text(episode.title)
    case .code: errorCode
    case .message: errorMessage
    case .position: .duration(position)
    case .duration: .duration(duration)
    }
  }

  /// Formats one line: result, id, position or watched mark, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail =
      result?.failure.map(\.code.rawValue)
      ?? position.map { "resume at \(PlayingTime.text(of: $0))" }
      ?? (episode.isWatched ? "watched" : "")
    return Self.line(cell(.outcome), width: 9, texts: [id, detail, exact(.title)], on: terminal)
  }
}
