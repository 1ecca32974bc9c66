package import VmxModel

/// The fields of the result of a playback in listings.
package enum PlayField: String, ListingField {
  case id, outcome, watched, title, code, message
  case position = "position_ms"
  case duration = "duration_ms"

  package static let defaultFields: [PlayField] = [
    .id, .outcome, .position, .duration, .watched, .title,
  ]

  package var column: Column {
    switch self {
    case .title, .message: Column(heading, .left, .end)
    case .position, .duration: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// The result of a playback, as a row of output.
package struct PlayRow: ListingRow {
  package let id: String
  private let episode: Episode
  private let result: OperationResult
  private let position: Int64?
  private let duration: Int64?
  private let stage: String
  private let received: JSONObject

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

  package func cell(_ field: PlayField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(result.name, result.style)
    case .position: Cell(position.map(PlayingTime.text) ?? "")
    case .duration: Cell(duration.map(PlayingTime.text) ?? "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: PlayField) -> String {
    switch field {
    case .id: id
    case .outcome: result.name
    case .position: position.map { "\($0)" } ?? ""
    case .duration: duration.map { "\($0)" } ?? ""
    case .watched: "\(episode.isWatched)"
    case .title: episode.title
    case .code: result.failure?.code.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    }
  }

  package func record(_ fields: [PlayField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    object.append("title", episode.title)
    object.append("watched", .bool(episode.isWatched))
    object.append("position_ms", position.map { .integer($0) })
    object.append("duration_ms", duration.map { .integer($0) })
    let known = EpisodeJSON.known.union(["position_ms", "position_at"])
    for field in received.without(known).fields { object.append(field.key, field.value) }
    result.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, position or watched mark, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail =
      result.failure.map(\.code.rawValue)
      ?? position.map { "resume at \(PlayingTime.text(of: $0))" }
      ?? (episode.isWatched ? "watched" : "")
    return Self.line(cell(.outcome), width: 9, [id, detail, exact(.title)], terminal)
  }
}
