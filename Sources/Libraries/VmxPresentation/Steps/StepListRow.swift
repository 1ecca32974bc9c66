package import VmxModel

/// The fields of the operations that can be undone.
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

/// A run that can be undone, or one row of it.
package struct StepListRow: ListingRow, Sendable, Equatable {
  /// The name that `vmx undo` accepts.
  package let id: String
  /// The command that ran.
  package let tool: String
  /// The time when it started.
  package let at: Timestamp
  /// The number of rows in the run; 1 for a row.
  package let count: Int
  /// The number of bytes that can be restored.
  package let bytes: Int64
  /// The state: `open`, `undone`, `purged` or `permanent`.
  package let state: String
  /// The reason for the operation.
  package let reason: String
  private let now: Timestamp

  /// Creates a row of the list.
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
