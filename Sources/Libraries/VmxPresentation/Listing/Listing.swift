/// Prints rows of one kind, one by one, in the requested form.
///
/// `init` selects the renderer of the form. All forms need constant memory, even for a million
/// rows.
package struct Listing<Row: ListingRow> {
  private var renderer: any RowRenderer<Row>

  /// Creates a listing that writes to a sink. The output depends on the form and on whether the
  /// sink is a terminal.
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

  /// Prints a row; a table buffers the first rows until it has determined the column widths.
  package mutating func row(_ row: Row) throws(OutputError) {
    try renderer.row(row)
  }

  /// Prints the buffered rows.
  package mutating func end() throws(OutputError) {
    try renderer.end()
  }
}

/// A renderer of one output form.
protocol RowRenderer<Row> {
  associatedtype Row: ListingRow
  mutating func row(_ row: Row) throws(OutputError)
  mutating func end() throws(OutputError)
}

extension RowRenderer {
  mutating func end() throws(OutputError) {}
}
