import VmxModel

/// Prints one JSON object a line.
struct JSONLinesRenderer<Row: ListingRow>: RowRenderer {
  private let fields: [Row.Field]?
  private let escaping: Bool
  private let sink: any ByteSink

  /// Creates a renderer.
  ///
  /// - Parameter escaping: whether C1 and bidirectional controls are also written as `\u`, for
  ///   terminals.
  init(_ fields: [Row.Field]?, escaping: Bool, to sink: any ByteSink) {
    self.fields = fields
    self.escaping = escaping
    self.sink = sink
  }

  mutating func row(_ row: Row) throws(OutputError) {
    try sink.write(JSONText.line(row.record(fields), escaping: escaping))
  }
}

/// Prints values separated by tabs. `\`, tabs, line ends and control characters in a value are
/// escaped, so that each row is one line with the same number of tabs.
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

/// Prints rows with the user's template; control characters in values are escaped.
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
