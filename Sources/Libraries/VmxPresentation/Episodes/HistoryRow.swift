package import VmxModel

/// The fields of a history entry in listings.
package enum HistoryField: String, ListingField {
  case at, id, part, to, code, message, from, reason, by

  package static let defaultFields: [HistoryField] = [.id, .at, .part, .to, .code, .message]
  package static let recorded: [HistoryField] = [
    .at, .part, .from, .to, .code, .message, .reason, .by,
  ]

  package var key: FieldKey {
    switch self {
    case .at: FieldKey(.time, "The time of the change", heading: "WHEN")
    case .id: FieldKey(.text, "The id of the episode")
    case .part: FieldKey(.text, "The name of the part")
    case .to: FieldKey(.word, "The new state", heading: "WHAT")
    case .code: FieldKey(.word, "The error code, as in vmx-errors(7)")
    case .message:
      FieldKey(
        .text, "The code in words, or the reason for the removal", fitting: .end, heading: "WHY")
    case .from: FieldKey(.word, "The previous state")
    case .reason: FieldKey(.word, "The reason for the removal, as removal.reason")
    case .by: FieldKey(.text, "The tool that removed it")
    }
  }
}

/// One state transition of an episode, from its history.
package struct HistoryRow: ListingRow, Sendable, Equatable {
  /// The id of the episode.
  package let id: String
  private let step: Transition
  private let removal: EpisodeRemoval?
  private let now: Timestamp

  /// Creates the row of a transition.
  ///
  /// - Parameter removal: the removal to which the transition belongs; nil if it belongs to none.
  package init(_ id: String, _ step: Transition, removal: EpisodeRemoval? = nil, now: Timestamp) {
    self.id = id
    self.step = step
    self.removal = removal
    self.now = now
  }

  package func value(_ field: HistoryField) -> RowValue {
    switch field {
    case .at: .time(step.at, relativeTo: now).styled(.dim)
    case .id: .text(id).styled(.strong)
    case .part: .text(nonEmpty: step.part)
    case .from: .word(step.from.rawValue)
    case .to: .word(step.to.rawValue).shown(Cell(text, style))
    case .code: .word(step.code?.rawValue)
    case .message: .text(nonEmpty: step.code?.entry.sentence ?? removal?.phrase())
    case .reason: .word(removal?.reason.rawValue)
    case .by: .text(nonEmpty: removal?.tool)
    }
  }

  private var text: String {
    switch step.to {
    case .ready: "fetched"
    case .waiting: "waiting"
    default: step.to.rawValue
    }
  }

  private var style: TextStyle {
    switch step.to {
    case .ready: .success
    case .failed: .failure
    case .waiting: .warning
    default: .dim
    }
  }
}
