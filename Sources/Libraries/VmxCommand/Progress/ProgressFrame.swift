package import VmxModel
package import VmxPresentation

// A line has a name, a bar and numbers. The bars and numbers of all lines are aligned, and a column
// has the same meaning in each line, also in that of the total. A narrow terminal omits columns in
// this order: the number of the attempt, the total size, the bytes held and the number of
// connections. The latter is shown once a file has more than one connection.

/// One frame of the progress display, as lines for a terminal of a given width.
package struct ProgressFrame: Sendable, Equatable {
  /// The maximum number of items shown as lines; further items are only counted.
  package static let maxItems = 4

  /// The minimum widths of a line with a bar, with the bytes held as well, and with the total size
  /// as well.
  private static let (narrow, medium, wide) = (56, 72, 99)

  /// The totals of a run.
  package struct Totals: Sendable, Equatable {
    /// The number of finished files.
    package var ended: Int
    /// The number of files of the run; nil while it is unknown.
    package var files: Int?
    /// The bytes of all files, and the rate.
    package var bytes: ByteProgress
    /// The remaining time in milliseconds; nil while it is unknown.
    package var eta: Int64?
    /// The progress in percent; nil while it is unknown.
    package var percent: Int64?

    /// Creates the totals.
    package init(
      ended: Int, files: Int?, bytes: ByteProgress, percent: Int64?, eta: Int64? = nil
    ) {
      self.ended = ended
      self.files = files
      self.bytes = bytes
      self.eta = eta ?? bytes.eta
      self.percent = percent
    }
  }

  /// The active items, in the order in which they started.
  package var items: [ProgressItem]
  /// The totals; nil if there is only one item.
  package var totals: Totals?

  /// Creates a frame.
  package init(items: [ProgressItem], totals: Totals? = nil) {
    self.items = items
    self.totals = totals
  }

  /// Returns a line for each of the first items, and one for the total.
  package func lines(_ terminal: TerminalFacts) -> [String] {
    // The last cell of a line stays free, because some terminals wrap a full line.
    let width = max(1, terminal.width - 1)
    // Lines beyond the height of the window could not be erased.
    let room = min(Self.maxItems, max(1, (terminal.height ?? .max) - 3))
    var lines = items.prefix(room).map { item in
      let numbers = ByteProgress(
        completedBytes: item.completedBytes, total: item.total, rate: item.rate)
      var details = Self.details(
        numbers, percent: item.percent, last: item.activity ?? Self.text(eta: numbers.eta),
        showsRate: item.activity == nil, width: width)
      details += connections(item.connections, width)
      if item.attempt > 1, width >= Self.wide { details += "  attempt \(item.attempt)" }
      return Self.line(
        item.name, percent: item.percent, details: details, width: width, on: terminal)
    }
    if items.count > room {
      lines.append(DisplayWidth.truncated("… and \(items.count - room) more", to: width))
    }
    if let totals {
      let files = totals.files.map { "\(totals.ended) of \($0) files" } ?? "\(totals.ended) files"
      var details = Self.details(
        totals.bytes, percent: totals.percent, last: Self.text(eta: totals.eta), width: width)
      details += connections(items.map(\.connections).reduce(0, +), width)
      lines.append(
        Self.line(
          { DisplayWidth.truncated(files, to: $0) }, percent: totals.percent, details: details,
          width: width, on: terminal))
    }
    return lines
  }

  /// Returns the column of the connections; empty if no file has more than one.
  private func connections(_ count: Int, _ width: Int) -> String {
    guard width >= Self.medium, items.contains(where: { $0.connections > 1 }) else { return "" }
    return "  " + DisplayWidth.padded(count > 0 ? "\(count) conn" : "", to: 7, rightAligned: true)
  }

  private static func line(
    _ name: (_ cells: Int) -> String, percent: Int64?, details: String, width: Int,
    on terminal: TerminalFacts
  ) -> String {
    let details = DisplayWidth.truncated(TerminalText.escaped(details), to: width)
    let room = width - DisplayWidth.of(details) - 2
    guard room >= 8 else { return DisplayWidth.truncated("\(name(width))  \(details)", to: width) }
    let cells = width < narrow ? 0 : min(24, width / 8)
    let nameCells = cells == 0 ? room : room - cells - 2
    guard nameCells >= 8 else {
      return "\(DisplayWidth.padded(name(room), to: room))  \(details)"
    }
    let left = DisplayWidth.padded(name(nameCells), to: nameCells)
    guard cells > 0 else { return "\(left)  \(details)" }
    let bar =
      percent.map { Self.bar($0, cells: cells, on: terminal) }
      ?? String(repeating: " ", count: cells)
    return "\(left)  \(terminal.palette.paint(bar, .active))  \(details)"
  }

  /// Returns a bar of this many cells: block characters that the fonts of the Linux console have as
  /// well, otherwise ASCII.
  private static func bar(_ percent: Int64, cells: Int, on terminal: TerminalFacts) -> String {
    guard terminal.isUTF8 else {
      let full = Int(percent) * (cells - 2) / 100
      let rest = cells - 2 - full
      return "[" + String(repeating: "#", count: full) + String(repeating: "-", count: rest) + "]"
    }
    let halves = Int(percent) * cells * 2 / 100
    let full = String(repeating: "█", count: halves / 2) + (halves % 2 == 1 ? "▌" : "")
    return full + String(repeating: "░", count: cells - (halves + 1) / 2)
  }

  private static func text(eta: Int64?) -> String {
    eta.map { "ETA \(TimeText.duration(milliseconds: $0))" } ?? ""
  }

  /// - Parameter last: the text of the last column.
  private static func details(
    _ bytes: ByteProgress, percent: Int64?, last: String, showsRate: Bool = true, width: Int
  ) -> String {
    let held = ByteCount(clamping: bytes.completedBytes).forPeople
    let total = bytes.total.map { ByteCount(clamping: $0).forPeople }
    let rate = bytes.rate.map { "\(ByteCount(clamping: $0).forPeople)/s" } ?? ""
    var cells = [DisplayWidth.padded(percent.map { "\($0)%" } ?? "", to: 4, rightAligned: true)]
    if width >= wide {
      let size = total.map { "\(held) / \($0)" } ?? held
      cells.append(DisplayWidth.padded(size, to: 21, rightAligned: true))
    } else if width >= medium {
      cells.append(DisplayWidth.padded(held, to: 9, rightAligned: true))
    }
    cells.append(DisplayWidth.padded(showsRate ? rate : "", to: 11, rightAligned: true))
    cells.append(DisplayWidth.padded(last, to: 10))
    return cells.joined(separator: "  ")
  }
}
