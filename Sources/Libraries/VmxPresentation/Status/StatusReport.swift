/// What all fetchers are doing, and how the library stands.
package struct StatusReport: Sendable, Equatable {
  /// What is in work, by host, process and id.
  package var items: [StatusItem]
  /// The whole.
  package var totals: StatusTotals

  /// What is in work, and the whole.
  package init(items: [StatusItem], totals: StatusTotals) {
    self.items = items
    self.totals = totals
  }

  /// Prints it: where fields or a template were asked for, only what is in work; else the totals
  /// too.
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

  /// The text of a table with totals, in no more lines than the terminal can show: what is too
  /// much of what is in work is only counted.
  ///
  /// - Throws: nothing that a buffer in memory would not.
  package func frame(_ terminal: TerminalFacts) throws(OutputError) -> [String] {
    var report = self
    let below = totals.details.text(terminal).split(separator: "\n").count
    // The head of the table, the blank line, the line of those left out, and the cursor's own.
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
