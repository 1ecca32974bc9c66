/// The widths of a table's columns, fitted to the width of a terminal.
///
/// Flexible columns shrink first, the widest of them most, down to the least useful width. Before
/// they have less than 24 cells, rows exceed the width by texts that must stay whole. If that
/// is not sufficient, whole columns are omitted. The least important column is omitted first. Among
/// equals, inflexible columns precede flexible ones, and columns on the right precede those on the
/// left. The first column is the last of its equals, since other commands accept its text. A single
/// column has its whole width.
struct TableLayout: Equatable {
  private static let gap = 2

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
    guard columns.count > 1 else { return }
    shrink(to: width)
    while total > width, let omitted = leastImportant {
      widths[omitted] = nil
      for index in columns.indices where columns[index].isFlexible && widths[index] != nil {
        widths[index] = natural[index]
      }
      shrink(to: width)
    }
    // The last remaining column is cut to the width.
    if total > width, let index = widths.lastIndex(where: { $0 != nil }) { widths[index] = width }
  }

  /// Formats a row with its line end; a wrapped cell occupies several lines.
  func line(_ cells: [Cell], _ palette: Palette) -> String {
    let shown = columns.indices.filter { widths[$0] != nil }
    let pieces = shown.map { texts(of: cells[$0], $0) }
    let height = pieces.map(\.count).max() ?? 0
    return (0..<height).map { row in
      var line = ""
      var blanks = 0
      for (column, index) in shown.enumerated() {
        let text = row < pieces[column].count ? pieces[column][row] : ""
        let free = max(0, (widths[index] ?? 0) - DisplayWidth.of(text))
        let isRight = columns[index].side == .right
        if !text.isEmpty {
          line += String(repeating: " ", count: blanks + (isRight ? free : 0))
          line += palette.paint(text, cells[index].style)
          blanks = 0
        }
        // No blanks are written after the last text of a line.
        blanks += (text.isEmpty || !isRight ? free : 0) + Self.gap
      }
      return line + "\n"
    }.joined()
  }

  /// The lines of a cell in its column.
  private func texts(of cell: Cell, _ index: Int) -> [String] {
    let width = widths[index] ?? 0
    switch columns[index].fitting {
    case .fixed, .whole: return [cell.text]
    case .end: return [DisplayWidth.truncated(cell.text, to: width)]
    case .middle: return [DisplayWidth.shortened(cell.text, to: width)]
    case .wrapped:
      return Details.wrapped(cell.text, to: width).map { DisplayWidth.truncated($0, to: width) }
    }
  }

  /// The column to omit next; nil if only one is left.
  private var leastImportant: Int? {
    let shown = columns.indices.filter { widths[$0] != nil }
    guard shown.count > 1 else { return nil }
    return shown.min { left, right in
      let keys = [left, right].map { index in
        (columns[index].importance, index == 0 ? 1 : 0, columns[index].isFlexible ? 1 : 0, -index)
      }
      return keys[0] < keys[1]
    }
  }

  private var total: Int {
    let shown = widths.compactMap { $0 }
    return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
  }

  private mutating func shrink(to width: Int) {
    shrink(to: width, .end, .middle, .wrapped, least: 24)
    shrink(to: width, .whole)
    shrink(to: width, .end, .middle, .wrapped)
  }

  private mutating func shrink(to width: Int, _ fittings: Column.Fitting..., least: Int = 0) {
    func minWidth(_ index: Int) -> Int { max(columns[index].minWidth, least) }
    while total > width {
      let flexible = columns.indices.filter {
        fittings.contains(columns[$0].fitting) && (widths[$0] ?? 0) > minWidth($0)
      }
      guard let widest = flexible.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { return }
      widths[widest] = max(minWidth(widest), (widths[widest] ?? 0) - max(1, (total - width) / 2))
    }
  }
}
