import VmxModel
import VmxPresentation

/// An operation that can be undone, or one journal entry of it.
struct UndoRow: ListingRow, Sendable, Equatable {
  /// The name that `vmx undo` accepts.
  let id: String
  /// The command that ran.
  let tool: String
  /// The time when it started.
  let at: Timestamp
  /// The state: `open`, `undone`, `purged` or `permanent`.
  let state: String
  /// The number of journal entries.
  var count = 1
  /// The number of bytes that can be restored.
  var bytes: Int64 = 0
  /// The reason for the operation, in words.
  var text = ""
  private let now: Timestamp
  var kind: RowKind? { .run }

  /// Creates a row of the list.
  init(id: String, tool: String, at: Timestamp, state: String, now: Timestamp) {
    self.id = id
    self.tool = tool
    self.at = at
    self.state = state
    self.now = now
  }

  func value(_ field: UndoField) -> RowValue {
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
