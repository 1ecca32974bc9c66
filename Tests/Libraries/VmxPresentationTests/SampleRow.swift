import VmxModel
import VmxPresentation

enum SampleField: String, ListingField {
  case id, size, title

  static let defaultFields: [SampleField] = [.id, .size, .title]

  var column: Column {
    switch self {
    case .id: Column("ID")
    case .size: Column("SIZE", .right)
    case .title: Column("TITLE", .left, .end)
    }
  }
}

struct SampleRow: ListingRow {
  var id = "a/b"
  var size = "7"
  var title = "Title"

  func cell(_ field: SampleField) -> Cell { Cell(exact(field)) }

  func exact(_ field: SampleField) -> String {
    switch field {
    case .id: id
    case .size: size
    case .title: title
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
