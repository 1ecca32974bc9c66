/// A table for a terminal: the first rows decide the widths, all others follow them.
struct TableRenderer<Row: ListingRow>: RowRenderer {
  // Enough for a screen or two; beyond it widths are a guess, not a promise.
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

  // Nothing at all is printed where there is no row: a head alone says nothing. Nor does one above
  // a single column, which is mostly there to be copied.
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
