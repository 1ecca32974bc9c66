/// The parts being fetched by all workers, and the totals of the library.
package struct StatusReport: Sendable, Equatable {
  /// The parts being fetched, ordered by host, process and id.
  package var items: [StatusItem]
  /// The totals of the library.
  package var totals: StatusTotals

  /// Creates a report.
  package init(items: [StatusItem], totals: StatusTotals) {
    self.items = items
    self.totals = totals
  }

  /// Prints the report. If the user asked for fields or a template, it has only the parts being
  /// fetched, without totals.
  package func print(
    _ form: OutputForm<StatusField>, withTotals: Bool, to sink: any ByteSink,
    _ terminal: TerminalFacts
  ) throws(OutputError) {
    var listing = Listing<StatusRow>(form, to: sink, terminal)
    for item in items { try listing.row(StatusRow(item, now: totals.at)) }
    try listing.end()
    guard withTotals else { return }
    if case .json = form {
      try sink.write(JSONText.line(totals.record, escaping: terminal.isTerminal))
    } else if terminal.isTerminal {
      if !items.isEmpty { try sink.write("\n") }
      try sink.write(totals.details.text(terminal))
    } else {
      for cells in totals.cells {
        let line = cells.map { TerminalText.escaped($0) }.joined(separator: "\t")
        try sink.write(line + "\n")
      }
    }
  }

  /// Returns the lines of a table with totals that fit on the terminal; parts beyond its height are
  /// only counted.
  ///
  /// - Throws: no error in practice, because it writes to a buffer in memory.
  package func frame(_ terminal: TerminalFacts) throws(OutputError) -> [String] {
    var report = self
    let below = totals.details.text(terminal).split(separator: "\n").count
    // The heading, the blank line, the line with the number of omitted parts, and the cursor's
    // line.
    let room = max(1, (terminal.height ?? .max) - below - 4)
    let isCut = items.count > room
    if isCut { report.items = Array(items.prefix(room)) }
    let buffer = ByteBuffer()
    try report.print(.columns(StatusField.usual), withTotals: true, to: buffer, terminal)
    var lines = buffer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
    if isCut { lines.insert("… and \(items.count - room) more", at: room + 1) }
    return lines
  }
}
