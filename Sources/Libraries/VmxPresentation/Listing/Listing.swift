package import VmxModel

/// Prints rows of one kind, one by one, in the requested form.
///
/// All forms need constant memory, even for a million rows.
package struct Listing<Row: ListingRow> {
  private let form: OutputForm<Row.Field>
  private let sink: any ByteSink
  private let terminal: TerminalFacts
  private var table: Table<Row.Field>?

  /// Creates a listing that writes to a sink. The output depends on the form and on whether the
  /// sink is a terminal.
  package init(_ form: OutputForm<Row.Field>, to sink: any ByteSink, _ terminal: TerminalFacts) {
    self.form = form
    self.sink = sink
    self.terminal = terminal
    switch form {
    case .columns(let fields) where terminal.isTerminal: table = Table(fields, terminal)
    case .table(let fields): table = Table(fields, terminal)
    default: break
    }
  }

  /// Prints a row; a table buffers the first rows until it has determined the column widths.
  ///
  /// - Parameter received: the row of a pipe from which it was made; its unknown fields are passed
  ///   on in JSON.
  package mutating func row(
    _ row: Row, received: JSONObject = JSONObject()
  ) throws(OutputError) {
    switch form {
    case .columns(let fields) where table == nil: try sink.write(Self.line(of: row, fields))
    case .columns(let fields), .table(let fields):
      let lines = table?.lines(adding: fields.map { row.cell($0) }) ?? ""
      if !lines.isEmpty { try sink.write(terminal.shown(lines)) }
    case .nul(let fields):
      try sink.write(fields.map { row.exact($0) }.joined(separator: "\t") + "\0")
    case .json(let fields):
      let record = row.record(fields).adding(unknownOf: received)
      try sink.write(record.line(escaping: terminal.isTerminal))
    case .template(let template): try sink.write(template.text(of: row))
    }
  }

  /// Prints the buffered rows.
  package mutating func end() throws(OutputError) {
    if let lines = table?.release(), !lines.isEmpty { try sink.write(terminal.shown(lines)) }
  }

  /// Prints a line below a table with headings; does nothing in other forms.
  package func footer(_ text: String) throws(OutputError) {
    guard let table, table.hasHeading else { return }
    let line = terminal.shown(DisplayWidth.truncated(text, to: terminal.width))
    try sink.write(terminal.palette.paint(line, .dim) + "\n")
  }

  /// Formats values separated by tabs. `\`, tabs, line ends and control characters in a value are
  /// escaped, so that each row is one line with the same number of tabs.
  private static func line(of row: Row, _ fields: [Row.Field]) -> String {
    var line = ""
    for (index, field) in fields.enumerated() {
      if index > 0 { line += "\t" }
      let value = row.exact(field)
      line +=
        value.utf8.contains(UInt8(ascii: "\\"))
        ? value.split(separator: "\\", omittingEmptySubsequences: false)
          .map { TerminalText.escaped(String($0)) }.joined(separator: #"\\"#)
        : TerminalText.escaped(value)
    }
    line.append("\n")
    return line
  }
}

extension JSONObject {
  /// Returns the object as one line with its line end.
  ///
  /// - Parameter escaping: whether characters that must not reach a terminal are also written as
  ///   `\u` escapes, which every parser decodes to the same text.
  package func line(escaping: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.append(self, to: &bytes)
    if escaping {
      // The writer has escaped the C0 control characters. The remaining ones occur only inside
      // strings, and their escapes are valid JSON.
      bytes = Array(TerminalText.escaped(String(decoding: bytes, as: UTF8.self)).utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}

/// A detailed description of one item: a heading and labelled lines, in sections.
package struct Details: Sendable, Equatable {
  /// A label and its value.
  package struct Line: Sendable, Equatable {
    let label: String
    let text: String
    let style: TextStyle
    /// Whether there is no text.
    var isEmpty: Bool { text.isEmpty }
    /// Whether line ends of the text are kept.
    let isProse: Bool

    /// Creates a line; the text is not yet escaped.
    package init(_ label: String, _ text: String, style: TextStyle = .plain) {
      self.label = label
      self.text = text
      self.style = style
      isProse = false
    }

    /// Creates the lines of a longer text, whose own line ends are kept; not yet escaped.
    package init(_ label: String, prose text: String) {
      self.label = label
      self.text = text
      style = .plain
      isProse = true
    }

    fileprivate func pieces(to width: Int) -> [String] {
      let lines =
        isProse ? text.split(separator: "\n", omittingEmptySubsequences: false) : [text[...]]
      return lines.flatMap { Details.wrapped(TerminalText.escaped(String($0)), to: width) }
    }
  }

  /// The heading, which names the item.
  package let heading: String
  /// The labelled lines.
  package var lines: [Line]
  /// The sections below the lines.
  package var sections: [Details]

  /// Creates a description.
  package init(heading: String, lines: [Line], sections: [Details] = []) {
    self.heading = heading
    self.lines = lines
    self.sections = sections
  }

  /// Formats the text for a terminal: labels in one column, long values wrapped between words.
  package func text(_ terminal: TerminalFacts, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    let labels = lines.reduce(0) { max($0, DisplayWidth.of($1.label)) }
    var text = margin + terminal.palette.paint(TerminalText.escaped(heading), .strong) + "\n"
    for line in lines {
      let label = DisplayWidth.padded(line.label, to: labels)
      let start = indent + 2 + labels + 2
      let room = terminal.isTerminal ? max(20, terminal.width - start) : Int.max
      for (index, piece) in line.pieces(to: room).enumerated() {
        let head = index == 0 ? "\(margin)  \(terminal.palette.paint(label, .dim))  " : nil
        let margin = piece.isEmpty ? "" : String(repeating: " ", count: start)
        text += (head ?? margin) + terminal.palette.paint(piece, line.style) + "\n"
      }
    }
    for section in sections { text += section.text(terminal, indent: indent + 2) }
    return text
  }

  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return lines + [line]
  }
}
