package import VmxModel

/// The fields of an operation that can be undone, in listings.
package enum UndoField: String, ListingField {
  case id, tool, at, count, bytes, state, text

  package static let defaultFields: [UndoField] = [
    .id, .at, .tool, .count, .bytes, .state, .text,
  ]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The name for vmx undo")
    case .tool: FieldKey(.text, "The tool that ran")
    case .at: FieldKey(.time, "The start time", heading: "WHEN")
    case .count: FieldKey(.number, "The number of its rows", heading: "ROWS")
    case .bytes: FieldKey(.bytes, "The size that can be restored", heading: "SIZE")
    case .state: FieldKey(.word, "open, undone, purged or permanent")
    case .text: FieldKey(.text, "The recorded reason, in words", .end, heading: "WHY")
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

  package func value(_ field: UndoField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .tool: .text(tool)
    case .at: .time(at, relativeTo: now).styled(.dim)
    case .count: .number(count)
    case .bytes: .bytes(bytes)
    case .state: .word(state, state == "open" ? .success : .dim)
    case .text: .text(text)
    }
  }
}
