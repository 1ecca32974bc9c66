package import VmxPresentation
package import VmxModel

/// The progress of one item, as its worker reports it.
package struct ProgressItem: Sendable, Equatable {
  /// The id of the episode or of another item.
  package var id: String
  /// The number of bytes received.
  package var held: Int64
  /// The total size in bytes; nil while it is unknown.
  package var total: Int64?
  /// The rate in bytes a second; nil to let the display measure it.
  package var rate: Int64?
  /// The number of the attempt, starting at 1.
  package var attempt: Int
  /// The phase of the transfer; nil if the item has none.
  package var phase: ProgressPhase?
  /// The current activity if no bytes are being received, such as `checking` or `waits 12s`.
  package var note: String?

  /// Creates a progress report.
  package init(
    id: String, held: Int64, total: Int64? = nil, rate: Int64? = nil, attempt: Int = 1,
    note: String? = nil
  ) {
    self.id = id
    self.held = held
    self.total = total
    self.rate = rate
    self.attempt = attempt
    self.note = note
  }

  /// The remaining time in milliseconds at the current rate; nil while it is unknown.
  package var eta: Int64? { progress.eta }

  /// The current activity in place of the remaining time; nil while bytes flow.
  var activity: String? { note ?? phase.flatMap { $0.isMoving ? nil : $0.rawValue } }

  /// The progress in whole percent, 100 only at the end; nil while the total is unknown.
  package var percent: Int64? { progress.percent }

  private var progress: ByteProgress { ByteProgress(held: held, total: total, rate: rate) }
}

/// One frame of the progress display, as lines for a terminal of a given width.
package struct ProgressFrame: Sendable, Equatable {
  /// The maximum number of items shown as lines; further items are only counted.
  package static let mostItems = 4

  private static let wide = 72

  /// The active items, in the order in which they started.
  package var items: [ProgressItem]
  /// The number of finished items.
  package var ended: Int
  /// The number of items of the whole run; nil while it is unknown.
  package var expected: Int?
  /// The number of bytes of the finished items.
  package var endedBytes: Int64

  /// Creates a frame.
  package init(items: [ProgressItem], ended: Int, expected: Int?, endedBytes: Int64) {
    self.items = items
    self.ended = ended
    self.expected = expected
    self.endedBytes = endedBytes
  }

  /// Returns a line for each of the first items, and one for the total.
  package func lines(_ terminal: TerminalFacts) -> [String] {
    // The last cell of a line stays free, because some terminals wrap a full line.
    let width = max(1, terminal.width - 1)
    var lines = items.prefix(Self.mostItems).map { item in
      Self.line(TerminalText.escaped(item.id), item, Self.details(of: item, width), width, terminal)
    }
    if items.count > Self.mostItems {
      lines.append(DisplayWidth.cut("… and \(items.count - Self.mostItems) more", to: width))
    }
    let whole = whole
    let count = expected.map { "\(ended) of \($0) files done" } ?? "\(ended) files done"
    lines.append(
      Self.line("total: \(count)", whole, Self.details(of: whole, width), width, terminal))
    return lines
  }

  /// All items combined; its total is known only if the totals of all items are.
  package var whole: ProgressItem {
    let held = items.map(\.held).clampedSum().addingClamped(endedBytes)
    let totals = items.compactMap(\.total)
    let isKnown =
      totals.count == items.count && (expected.map { $0 == ended + items.count } ?? true)
    let rates = items.compactMap(\.rate)
    return ProgressItem(
      id: "total", held: held, total: isKnown ? totals.clampedSum().addingClamped(endedBytes) : nil,
      rate: rates.isEmpty ? nil : rates.clampedSum())
  }

  private static func line(
    _ name: String, _ item: ProgressItem, _ details: String, _ width: Int,
    _ terminal: TerminalFacts
  ) -> String {
    let details = DisplayWidth.cut(TerminalText.escaped(details), to: width)
    let room = width - DisplayWidth.of(details) - 2
    guard room >= 8 else { return DisplayWidth.cut("\(name)  \(details)", to: width) }
    let name = DisplayWidth.cut(name, to: room)
    let free = room - DisplayWidth.of(name)
    let filler = bar(item, free - 2) ?? String(repeating: " ", count: free)
    return "\(name)\(terminal.palette.paint(filler, .busy))  \(details)"
  }

  private static func bar(_ item: ProgressItem, _ room: Int) -> String? {
    guard room >= 12, let percent = item.percent else { return nil }
    let cells = min(room, 24) - 2
    let full = Int(percent) * cells / 100
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: cells - full)
    return String(repeating: " ", count: room - cells) + "[\(bar)]"
  }

  private static func details(of item: ProgressItem, _ width: Int) -> String {
    let held = ByteCount(clamping: item.held).forPeople
    let size = item.total.map { "\(held) / \(ByteCount(clamping: $0).forPeople)" } ?? held
    let rate = item.rate.map { "\(ByteCount(clamping: $0).forPeople)/s" } ?? ""
    let eta = item.eta.map { "ETA \(TimeText.duration(milliseconds: $0))" } ?? ""
    var details = [
      DisplayWidth.padded(item.percent.map { "\($0)%" } ?? "", to: 4, rightAligned: true)
    ]
    // A narrow line shows the rate and the remaining time, but not the size.
    if width >= wide { details.append(DisplayWidth.padded(size, to: 20, rightAligned: true)) }
    details.append(
      DisplayWidth.padded(item.activity == nil ? rate : "", to: 11, rightAligned: true))
    details.append(DisplayWidth.padded(item.activity ?? eta, to: 10))
    if item.attempt > 1, width >= wide { details.append("attempt \(item.attempt)") }
    return details.joined(separator: "  ")
  }
}
