package import VmxPresentation

// Nothing of the terminal is changed that would have to be put right again: no other screen, no
// hidden cursor, no mode. Whatever ends the program, the last picture stays and the cursor below it.

/// Shows lines on a terminal, each picture in the place of the one before.
package struct LiveScreen {
  private let sink: any ByteSink
  private var shown: [String] = []
  private var width = 0

  /// A screen that shows nothing yet.
  package init(on sink: any ByteSink) {
    self.sink = sink
  }

  /// Shows lines instead of those before; the same ones at the same width are not drawn again.
  ///
  /// - Parameter terminal: as it is at this moment: what was drawn takes other lines of a window
  ///   that has become narrower.
  package mutating func show(_ lines: [String], _ terminal: TerminalFacts) throws(OutputError) {
    guard lines != shown || terminal.width != width else { return }
    let height = shown.reduce(0) { $0 + Self.rows(of: $1, terminal.width) }
    let erasure = height == 0 ? "" : "\r\u{1b}[\(height)A\u{1b}[J"
    try sink.write(erasure + lines.map { $0 + "\n" }.joined())
    try sink.flush()
    shown = lines
    width = terminal.width
  }

  /// How many lines of the terminal a line takes.
  private static func rows(of line: String, _ width: Int) -> Int {
    max(1, (DisplayWidth.of(uncoloured(line)) + width - 1) / max(1, width))
  }

  /// A line without its colours (ECMA-48 SGR).
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
