/// A detailed description of one item: a heading and labelled lines, in sections.
package struct Details: Sendable, Equatable {
  /// A label and its value.
  package struct Line: Sendable, Equatable {
    let label: String
    let text: String
    let tone: Tone

    /// Creates a line; the text is not yet escaped.
    package init(_ label: String, _ text: String, _ tone: Tone = .plain) {
      self.label = label
      self.text = text
      self.tone = tone
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
      let pieces = Self.wrapped(TerminalText.escaped(line.text), to: room)
      for (index, piece) in pieces.enumerated() {
        let head = index == 0 ? "\(margin)  \(terminal.palette.paint(label, .dim))  " : nil
        text += (head ?? String(repeating: " ", count: start))
        text += terminal.palette.paint(piece, line.tone) + "\n"
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
