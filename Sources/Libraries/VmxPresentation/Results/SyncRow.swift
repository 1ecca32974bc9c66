package import VmxModel

/// The fields of a change by `vmx sync now` in listings.
package enum SyncField: String, ListingField {
  case direction, change, id, outcome, at, code, message
  case position = "position_ms"

  package static let defaultFields: [SyncField] = [.direction, .change, .id, .outcome, .position]

  package var column: Column {
    switch self {
    case .position: Column(heading, .right)
    case .message: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// A change made by a sync, in the library or at the server, as a row of output.
package struct SyncRow: ListingRow, Sendable, Equatable {
  package let id: String
  private let direction: String
  private let change: String
  private let position: Int64?
  private let at: Timestamp?
  private let result: OperationResult
  private let stage: String

  /// Creates the row of a change.
  ///
  /// - Parameters:
  ///   - id: the id of the episode or feed.
  ///   - direction: `here` for a change in the library, `there` for one at the server.
  ///   - change: the name of the change.
  ///   - position: the position at which playback resumes, in milliseconds; nil for other changes.
  ///   - at: the time of the change.
  ///   - stage: the name of the command.
  package init(
    _ id: String, direction: String, change: String, position: Int64?, at: Timestamp?,
    _ result: OperationResult, stage: String
  ) {
    self.id = id
    self.direction = direction
    self.change = change
    self.position = position
    self.at = at
    self.result = result
    self.stage = stage
  }

  package func cell(_ field: SyncField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(result.name, result.style)
    case .position: Cell(position.map(PlayingTime.text) ?? "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: SyncField) -> String {
    switch field {
    case .id: id
    case .direction: direction
    case .change: change
    case .outcome: result.name
    case .position: position.map { "\($0)" } ?? ""
    case .at: at?.text ?? ""
    case .code: result.failure?.code.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    }
  }

  package func json(_ field: SyncField) -> JSONValue? {
    if field == .position { return position.map { .integer($0) } }
    return exact(field).isEmpty ? nil : .string(exact(field))
  }

  package func record(_ fields: [SyncField]?) -> JSONObject {
    var object = EpisodeJSON.head(id, .change)
    object.append("direction", direction)
    object.append("change", change)
    object.append("position_ms", position.map { .integer($0) })
    object.append("at", at?.text)
    result.append(to: &object, stage: stage)
    return object.selecting(fields)
  }
}
