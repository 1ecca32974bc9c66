package import VmxModel

/// The fields of a history entry in listings.
package enum HistoryField: String, ListingField {
  case at, id, part, to, code, message, from, reason, by

  package static let defaultFields: [HistoryField] = [.id, .at, .part, .to, .code, .message]

  package var column: Column {
    switch self {
    case .at: Column("WHEN")
    case .to: Column("WHAT")
    case .message: Column("WHY", .left, .end)
    case .id, .part, .code, .from, .reason, .by: Column(heading)
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

  package func cell(_ field: HistoryField) -> Cell {
    switch field {
    case .at: Cell(TimeText.relative(step.at, to: now), .dim)
    case .id: Cell(id, .strong)
    case .to: Cell(text, style)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: HistoryField) -> String {
    switch field {
    case .at: step.at.text
    case .id: id
    case .part: step.part
    case .from: step.from.rawValue
    case .to: step.to.rawValue
    case .code: step.code?.rawValue ?? ""
    case .message: step.code?.entry.sentence ?? removal?.phrase() ?? ""
    case .reason: removal?.reason.rawValue ?? ""
    case .by: removal?.tool ?? ""
    }
  }

  package static let recorded: [HistoryField] = [
    .at, .part, .from, .to, .code, .message, .reason, .by,
  ]

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
