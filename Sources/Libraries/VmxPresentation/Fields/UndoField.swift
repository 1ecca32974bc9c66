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
    case .text: FieldKey(.text, "The recorded reason, in words", fitting: .end, heading: "WHY")
    }
  }
}
