import VmxModel

/// One JSON object a line.
struct JSONLinesRenderer<Row: ListingRow>: RowRenderer {
  private let fields: [Row.Field]?
  private let escaping: Bool
  private let sink: any ByteSink

  /// - Parameter escaping: also writes C1 and bidirectional controls as `\u`, for terminals.
  init(_ fields: [Row.Field]?, escaping: Bool, to sink: any ByteSink) {
    self.fields = fields
    self.escaping = escaping
    self.sink = sink
  }

  mutating func row(_ row: Row) throws(OutputError) {
    try sink.write(JSONText.line(row.record(fields), escaping: escaping))
  }
}

/// Lines of values with a tab between them; `\`, tabs, line ends and control characters inside a
/// value are escaped, so that every row is one line with the same number of tabs.
struct TabSeparatedRenderer<Row: ListingRow>: RowRenderer {
  private let fields: [Row.Field]
  private let end: Character
  private let sink: any ByteSink

  init(_ fields: [Row.Field], end: Character, to sink: any ByteSink) {
    self.fields = fields
    self.end = end
    self.sink = sink
  }

  mutating func row(_ row: Row) throws(OutputError) {
    var line = ""
    for (index, field) in fields.enumerated() {
      if index > 0 { line += "\t" }
      line += end == "\0" ? row.exact(field) : Self.escaped(row.exact(field))
    }
    line.append(end)
    try sink.write(line)
  }

  private static func escaped(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "\\")) else { return TerminalText.escaped(value) }
    return value.split(separator: "\\", omittingEmptySubsequences: false)
      .map { TerminalText.escaped(String($0)) }.joined(separator: #"\\"#)
  }
}

/// The user's template, with control characters of the values escaped.
struct TemplateRenderer<Row: ListingRow>: RowRenderer {
  private let template: OutputTemplate<Row.Field>
  private let sink: any ByteSink

  init(_ template: OutputTemplate<Row.Field>, to sink: any ByteSink) {
    self.template = template
    self.sink = sink
  }

  mutating func row(_ row: Row) throws(OutputError) {
    var text = ""
    for piece in template.pieces {
      switch piece {
      case .text(let plain): text += plain
      case .field(let field): text += TerminalText.escaped(row.exact(field))
      }
    }
    try sink.write(text)
  }
}
