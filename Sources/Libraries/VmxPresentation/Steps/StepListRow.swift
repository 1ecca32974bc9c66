package import VmxModel

/// The fields of what can be taken back.
package enum StepListField: String, ListingField {
  case id, tool, at, count, bytes, state, reason

  package static let usual: [StepListField] = [.id, .at, .tool, .count, .bytes, .state, .reason]

  package var column: Column {
    switch self {
    case .at: Column("WHEN")
    case .count: Column("ROWS", .right)
    case .bytes: Column("SIZE", .right)
    case .reason: Column("WHY", isFlexible: true)
    default: Column(rawValue.uppercased())
    }
  }
}

/// A run that can be taken back, or one row of it.
package struct StepListRow: ListingRow, Sendable, Equatable {
  /// What names it for `vmx undo`.
  package let id: String
  /// The tool that did it.
  package let tool: String
  /// When it began.
  package let at: Timestamp
  /// Rows it has; 1 for a row.
  package let count: Int
  /// Bytes that can be put back.
  package let bytes: Int64
  /// `open`, or what became of it: `undone`, `purged`, `permanent`.
  package let state: String
  /// Why it was done.
  package let reason: String
  private let now: Timestamp

  /// A row of the list, as it is told at a moment.
  package init(
    id: String, tool: String, at: Timestamp, count: Int, bytes: Int64, state: String,
    reason: String, now: Timestamp
  ) {
    self.id = id
    self.tool = tool
    self.at = at
    self.count = count
    self.bytes = bytes
    self.state = state
    self.reason = reason
    self.now = now
  }

  package func cell(_ field: StepListField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .at: Cell(TimeText.relative(at, to: now), .dim)
    case .bytes: Cell(ByteCount(clamping: bytes).forPeople)
    case .state: Cell(state, state == "open" ? .good : .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: StepListField) -> String {
    switch field {
    case .id: id
    case .tool: tool
    case .at: at.text
    case .count: String(count)
    case .bytes: String(bytes)
    case .state: state
    case .reason: reason
    }
  }

  package func record(_ fields: [StepListField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    for field in fields ?? StepListField.allCases where field != .id {
      switch field {
      case .count: object.append(field.rawValue, .integer(Int64(count)))
      case .bytes: object.append(field.rawValue, .integer(bytes))
      default: object.append(field.rawValue, exact(field))
      }
    }
    return object
  }
}
