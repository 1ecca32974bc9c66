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
