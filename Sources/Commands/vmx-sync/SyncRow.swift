import VmxModel
import VmxPresentation

/// A change made by a sync, in the library or at the server, as a row of output.
struct SyncRow: ResultRow, Sendable, Equatable {
  let id: String
  private let direction: String
  private let change: String
  private let position: Int64?
  private let at: Timestamp?
  let result: OperationResult?
  let stage: String

  /// Creates the row of a change.
  ///
  /// - Parameters:
  ///   - id: the id of the episode or feed.
  ///   - direction: `here` for a change in the library, `there` for one at the server.
  ///   - change: the name of the change.
  ///   - position: the position at which playback resumes, in milliseconds; nil for other changes.
  ///   - at: the time of the change.
  ///   - stage: the name of the command.
  init(
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

  var kind: RowKind? { .change }

  func value(_ field: SyncField) -> RowValue {
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
