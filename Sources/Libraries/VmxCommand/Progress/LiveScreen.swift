package import VmxPresentation

// The terminal keeps its normal state: no alternate screen, no hidden cursor, no changed mode. So
// nothing has to be restored, and however the program ends, the last frame remains with the cursor
// below it.

/// Shows lines on a terminal; each frame replaces the previous one.
package struct LiveScreen {
  private let sink: any ByteSink
  private var shown: [String] = []
  /// The width at which the lines were last drawn.
  private(set) var width = 0

  /// Creates an empty screen.
  package init(on sink: any ByteSink) {
    self.sink = sink
  }

  /// Replaces the lines shown; equal lines at the same width are not drawn again.
  ///
  /// - Parameters:
  ///   - terminal: the current properties of the terminal; in a window that has become narrower,
  ///     lines occupy more rows.
  ///   - control: an escape sequence without visible output.
  package mutating func show(
    _ lines: [String], _ terminal: TerminalFacts, then control: String = ""
  ) throws(OutputError) {
    guard lines != shown || terminal.width != width else { return }
    let height = shown.reduce(0) { $0 + Self.rows(of: $1, terminal.width) }
    shown = lines
    width = terminal.width
    try sink.write(terminal.shown(Self.frame(lines, over: height)) + control)
    try sink.flush()
  }

  /// Leaves the lines where they are: the next frame begins below the cursor, because another
  /// program may have written there.
  package mutating func leave() {
    shown = []
    width = 0
  }

  /// Returns the lines, written over this many rows above the cursor.
  ///
  /// Each line erases only the rest of its own row: some terminals copy a screen that is erased
  /// from its top row into their history.
  private static func frame(_ lines: [String], over height: Int) -> String {
    guard height > 0 else { return lines.map { $0 + "\n" }.joined() }
    return "\r\u{1b}[\(height)A" + lines.map { $0 + "\u{1b}[K\n" }.joined() + "\u{1b}[J"
  }

  /// Returns the number of terminal rows that a line occupies.
  private static func rows(of line: String, _ width: Int) -> Int {
    max(1, (DisplayWidth.of(uncoloured(line)) + width - 1) / max(1, width))
  }

  /// Returns a line without its colours (ECMA-48 SGR).
  private static func uncoloured(_ line: String) -> String {
    guard line.utf8.contains(0x1B) else { return line }
    var plain = ""
    var isColour = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1b}" { isColour = true }
      if !isColour { plain.unicodeScalars.append(scalar) }
      if scalar == "m" { isColour = false }
    }
    return plain
  }
}
