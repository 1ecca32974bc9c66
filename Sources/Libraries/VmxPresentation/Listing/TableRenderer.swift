/// Prints a table on a terminal; the first rows determine the column widths.
struct TableRenderer<Row: ListingRow>: RowRenderer {
  // 256 rows fill a screen or two; later rows may exceed the widths.
  private static var sampled: Int { 256 }

  private let fields: [Row.Field]
  private let sink: any ByteSink
  private let terminal: TerminalFacts
  private var kept: [[Cell]] = []
  private var layout: TableLayout?

  init(_ fields: [Row.Field], to sink: any ByteSink, _ terminal: TerminalFacts) {
    self.fields = fields
    self.sink = sink
    self.terminal = terminal
  }

  mutating func row(_ row: Row) throws(OutputError) {
    let cells = fields.map { field in
      let cell = row.cell(field)
      return Cell(TerminalText.escaped(cell.text), cell.tone)
    }
    if let layout { return try sink.write(layout.line(cells, terminal.palette)) }
    kept.append(cells)
    if kept.count == Self.sampled { try release() }
  }

  mutating func end() throws(OutputError) {
    if layout == nil { try release() }
  }

  // Without rows nothing is printed, not even the heading. A single column has no heading, because
  // its values are usually meant to be copied.
  private mutating func release() throws(OutputError) {
    guard !kept.isEmpty else { return }
    let columns = fields.map(\.column)
    let layout = TableLayout(columns, sample: kept, width: terminal.width)
    self.layout = layout
    if columns.count > 1 {
      try sink.write(layout.line(columns.map { Cell($0.title, .strong) }, terminal.palette))
    }
    for cells in kept { try sink.write(layout.line(cells, terminal.palette)) }
    kept = []
  }
}
