import VmxModel
import VmxPresentation
import VmxSyncing

/// A change made by a sync, in the library or at the server, as a row of output.
struct SyncRow: ResultRow, Sendable, Equatable {
  private let effect: SyncEffect
  let stage: String

  /// Creates the row of a change.
  ///
  /// - Parameter stage: the name of the command.
  init(_ effect: SyncEffect, stage: String) {
    self.effect = effect
    self.stage = stage
  }

  var id: String { effect.id }
  var result: OperationResult? { effect.result }

  var kind: RowKind? { .change }

  func value(_ field: SyncField) -> RowValue {
    switch field {
    case .direction: .word(effect.direction.rawValue)
    case .change: .word(effect.change.rawValue)
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .at: .time(effect.at)
    case .code: errorCode
    case .message: errorMessage
    case .position: .duration(effect.position)
    }
  }
}
