/// Formats rows as a table for a terminal; the first rows determine the column widths.
struct Table<Field: ListingField> {
  // 256 rows fill a screen or two; later rows may exceed the widths.
  private static var sampled: Int { 256 }

  private let columns: [Column]
  private let terminal: TerminalFacts
  private var kept: [[Cell]] = []
  private var layout: TableLayout?

  init(_ fields: [Field], _ terminal: TerminalFacts) {
    columns = fields.map(\.column)
    self.terminal = terminal
  }

  /// Adds a row and returns the lines that can be printed now.
  mutating func lines(adding cells: [Cell]) -> String {
    let cells = cells.map { Cell(TerminalText.escaped($0.text), $0.tone) }
    if let layout { return layout.line(cells, terminal.palette) }
    kept.append(cells)
    return kept.count == Self.sampled ? release() : ""
  }

  /// Returns the buffered lines.
  ///
  /// Without rows there is nothing to print, not even the heading. A single column has no heading,
  /// because its values are usually meant to be copied.
  mutating func release() -> String {
    guard !kept.isEmpty else { return "" }
    let layout = TableLayout(columns, sample: kept, width: terminal.width)
    self.layout = layout
    let heading = columns.map { Cell($0.title, .strong) }
    let rows = columns.count > 1 ? [heading] + kept : kept
    kept = []
    return rows.map { layout.line($0, terminal.palette) }.joined()
  }
}

/// The widths of a table's columns, fitted to the width of a terminal.
///
/// Flexible columns shrink first, down to `least` cells. Then whole columns are omitted from the
/// right, but never the first one, whose text other commands accept as input. Text in columns that
/// are not flexible is never cut.
struct TableLayout: Equatable {
  private static let gap = 2
  private static let least = 8

  private let columns: [Column]
  /// The width of each column in cells; nil for an omitted column.
  private(set) var widths: [Int?]

  /// Computes the widths.
  ///
  /// - Parameter sample: rows of escaped cells.
  init(_ columns: [Column], sample: [[Cell]], width: Int) {
    self.columns = columns
    let natural = columns.indices.map { index in
      sample.reduce(DisplayWidth.of(columns[index].title)) {
        max($0, DisplayWidth.of($1[index].text))
      }
    }
    widths = natural
    shrink(to: width)
    while total > width, let last = widths.lastIndex(where: { $0 != nil }), last > 0 {
      let rigid = columns.indices.last { $0 > 0 && widths[$0] != nil && !columns[$0].isFlexible }
      widths[rigid ?? last] = nil
      for index in columns.indices where columns[index].isFlexible && widths[index] != nil {
        widths[index] = natural[index]
      }
      shrink(to: width)
    }
  }

  /// Formats a row with its line end.
  func line(_ cells: [Cell], _ palette: Palette) -> String {
    let shown = columns.indices.filter { widths[$0] != nil }
    var line = ""
    for index in shown {
      let width = widths[index] ?? 0
      let cell = cells[index]
      let text = columns[index].isFlexible ? DisplayWidth.cut(cell.text, to: width) : cell.text
      let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
      let painted = palette.paint(text, cell.tone)
      let isLast = index == shown.last
      switch columns[index].side {
      case .left: line += isLast ? painted : painted + blanks
      case .right: line += blanks + painted
      }
      if !isLast { line += String(repeating: " ", count: Self.gap) }
    }
    return line + "\n"
  }

  private var total: Int {
    let shown = widths.compactMap { $0 }
    return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
  }

  private mutating func shrink(to width: Int) {
    while total > width {
      let flexible = columns.indices.filter {
        columns[$0].isFlexible && (widths[$0] ?? 0) > Self.least
      }
      guard let widest = flexible.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { return }
      widths[widest] = max(Self.least, (widths[widest] ?? 0) - max(1, (total - width) / 2))
    }
  }
}
