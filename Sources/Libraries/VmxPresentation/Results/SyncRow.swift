package import VmxModel

/// The fields of a change by `vmx sync now` in listings.
package enum SyncField: String, ListingField {
  case direction, change, id, outcome, at, code, message
  case position = "position_ms"

  package static let defaultFields: [SyncField] = [.direction, .change, .id, .outcome, .position]
  package static let recorded: [SyncField] = [.direction, .change, .position, .at]

  package var key: FieldKey {
    switch self {
    case .direction: FieldKey(.word, "here (in the library) or there (at the server)")
    case .change:
      FieldKey(
        .word,
        "watched, unwatched, position, played, downloaded, deleted, subscribed or unsubscribed")
    case .id: FieldKey(.text, "The id of the episode or feed")
    case .outcome: .outcome
    case .at: FieldKey(.time, "The time of the change")
    case .code: .errorCode
    case .message: .errorMessage
    case .position: FieldKey(.milliseconds, "The position where playback resumes")
    }
  }
}

/// A change made by a sync, in the library or at the server, as a row of output.
package struct SyncRow: ResultRow, Sendable, Equatable {
  package let id: String
  private let direction: String
  private let change: String
  private let position: Int64?
  private let at: Timestamp?
  package let result: OperationResult?
  package let stage: String

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

  package var kind: RowKind? { .change }

  package func value(_ field: SyncField) -> RowValue {
    switch field {
    case .direction: .word(direction)
    case .change: .word(change)
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .at: .time(at)
    case .code: errorCode
    case .message: errorMessage
    case .position: .duration(position)
    }
  }
}
