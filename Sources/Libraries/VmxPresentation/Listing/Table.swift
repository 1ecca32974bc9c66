/// Formats rows as a table for a terminal; the first rows determine the column widths.
struct Table<Field: ListingField> {
  // 256 rows fill one or two screens; later rows may exceed the widths.
  private static var sampled: Int { 256 }

  private let columns: [Column]
  private let terminal: TerminalFacts
  private var bufferedRows: [[Cell]] = []
  private var layout: TableLayout?

  init(_ fields: [Field], _ terminal: TerminalFacts) {
    columns = fields.map(\.column)
    self.terminal = terminal
  }

  /// Whether the table has a heading. A single column has none.
  var hasHeading: Bool { columns.count > 1 }

  /// Adds a row and returns the lines that can be printed now.
  mutating func lines(adding cells: [Cell]) -> String {
    let cells = cells.map { Cell(TerminalText.escaped($0.text), $0.style) }
    if let layout { return layout.line(cells, terminal.palette) }
    bufferedRows.append(cells)
    return bufferedRows.count == Self.sampled ? release() : ""
  }

  /// Returns the buffered lines.
  ///
  /// Without rows there is nothing to print, not even the heading. A single column has no heading,
  /// because its values are usually meant to be copied.
  mutating func release() -> String {
    guard !bufferedRows.isEmpty else { return "" }
    let layout = TableLayout(columns, sample: bufferedRows, width: terminal.width)
    self.layout = layout
    let heading = columns.map { Cell($0.title, .strong) }
    let rows = hasHeading ? [heading] + bufferedRows : bufferedRows
    bufferedRows = []
    return rows.map { layout.line($0, terminal.palette) }.joined()
  }
}
