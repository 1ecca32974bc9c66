package import VmxModel

/// The fields of an operation that can be undone, in listings.
package enum UndoField: String, ListingField {
  case id, tool, at, count, bytes, state, text

  package static let defaultFields: [UndoField] = [
    .id, .at, .tool, .count, .bytes, .state, .text,
  ]

  package var column: Column {
    switch self {
    case .at: Column("WHEN")
    case .count: Column("ROWS", .right)
    case .bytes: Column("SIZE", .right)
    case .text: Column("WHY", .left, .end)
    default: Column(heading)
    }
  }
}

/// An operation that can be undone, or one journal entry of it.
package struct UndoRow: ListingRow, Sendable, Equatable {
  /// The name that `vmx undo` accepts.
  package let id: String
  /// The command that ran.
  package let tool: String
  /// The time when it started.
  package let at: Timestamp
  /// The state: `open`, `undone`, `purged` or `permanent`.
  package let state: String
  /// The number of journal entries.
  package var count = 1
  /// The number of bytes that can be restored.
  package var bytes: Int64 = 0
  /// The reason for the operation, in words.
  package var text = ""
  private let now: Timestamp
  package var kind: RowKind? { .run }

  /// Creates a row of the list.
  package init(id: String, tool: String, at: Timestamp, state: String, now: Timestamp) {
    self.id = id
    self.tool = tool
    self.at = at
    self.state = state
    self.now = now
  }

  package func cell(_ field: UndoField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .at: Cell(TimeText.relative(at, to: now), .dim)
    case .bytes: Cell(ByteCount(clamping: bytes).forPeople)
    case .state: Cell(state, state == "open" ? .success : .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: UndoField) -> String {
    switch field {
    case .id: id
    case .tool: tool
    case .at: at.text
    case .count: String(count)
    case .bytes: String(bytes)
    case .state: state
    case .text: text
    }
  }

  package func json(_ field: UndoField) -> JSONValue? {
    switch field {
    case .count: .integer(Int64(count))
    case .bytes: .integer(bytes)
    default: .string(exact(field))
    }
  }
}
