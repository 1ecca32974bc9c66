/// Prints rows of one kind, one after another, in the form that was asked for.
///
/// The switch over the form stands in `init`; a million rows need constant memory in all of them.
package struct Listing<Row: ListingRow> {
  private var renderer: any RowRenderer<Row>

  /// A listing that writes to a sink; what it writes depends on the form and on whether the sink
  /// ends in a terminal.
  package init(_ form: OutputForm<Row.Field>, to sink: any ByteSink, _ terminal: TerminalFacts) {
    renderer =
      switch form {
      case .columns(let fields) where terminal.isTerminal:
        TableRenderer(fields, to: sink, terminal)
      case .columns(let fields): TabSeparatedRenderer(fields, end: "\n", to: sink)
      case .nul(let fields): TabSeparatedRenderer(fields, end: "\0", to: sink)
      case .json(let fields):
        JSONLinesRenderer(fields, escaping: terminal.isTerminal, to: sink)
      case .template(let template): TemplateRenderer(template, to: sink)
      }
  }

  /// Prints a row; a table keeps the first rows back until it knows its widths.
  package mutating func row(_ row: Row) throws(OutputError) {
    try renderer.row(row)
  }

  /// Prints what was kept back.
  package mutating func end() throws(OutputError) {
    try renderer.end()
  }
}

/// One form of output.
protocol RowRenderer<Row> {
  associatedtype Row: ListingRow
  mutating func row(_ row: Row) throws(OutputError)
  mutating func end() throws(OutputError)
}

extension RowRenderer {
  mutating func end() throws(OutputError) {}
}
