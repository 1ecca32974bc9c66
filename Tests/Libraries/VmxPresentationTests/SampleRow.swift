import VmxModel
import VmxPresentation

enum SampleField: String, ListingField {
  case id, size, title

  static let defaultFields: [SampleField] = [.id, .size, .title]

  var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id")
    case .size: FieldKey(.bytes, "The size")
    case .title: FieldKey(.text, "The title", fitting: .end)
    }
  }
}

struct SampleRow: ListingRow {
  var id = "a/b"
  var size = "7"
  var title = "Title"

  func value(_ field: SampleField) -> RowValue {
    switch field {
    case .id: .text(id)
    case .size: .text(size)
    case .title: .text(title)
    }
  }
}

/// Returns the output of a listing for some rows.
func printed(
  _ form: OutputForm<SampleField>, _ rows: [SampleRow], _ terminal: TerminalFacts = .pipe
) throws -> String {
  let buffer = ByteBuffer()
  var listing = Listing<SampleRow>(form, to: buffer, terminal)
  for row in rows { try listing.row(row) }
  try listing.end()
  return buffer.text
}
