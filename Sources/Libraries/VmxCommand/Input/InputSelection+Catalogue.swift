package import VmxModel
package import VmxPresentation

extension InputSelection where Item == ShowRequest {
  /// Creates a selection of shows by operands or rows.
  ///
  /// - Parameter isTyped: whether another option selects shows.
  package init(shows: [String], isTyped: Bool = false, in context: CommandContext) {
    self.init(
      shows, isTyped: isTyped, accepting: [.show, .credit, .favourite, .feed], in: context
    ) { row throws(Failure) in
      if let object = row.object { return try ShowRequest(object) }
      let text = row.text ?? ""
      return row.position == nil ? ShowRequest(text) : ShowRequest(line: text)
    }
  }
}

extension InputSelection where Item == PersonRequest {
  /// Creates a selection of people by operands or rows.
  package init(people: [String], in context: CommandContext) {
    self.init(people, accepting: [.person], in: context) { row throws(Failure) in
      if let object = row.object { return try PersonRequest(object) }
      let text = row.text ?? ""
      return try row.position == nil ? PersonRequest(text) : PersonRequest(line: text)
    }
  }
}

extension InputSelection {
  /// Calls the body with each given show or person, and reports those for which it fails. The rows
  /// that the body prints have the unknown fields of the received row.
  ///
  /// - Parameter body: returns the result to count.
  /// - Throws: errors of the output, an interruption, and the failure of an operand.
  package func forEachRequest<Row: ListingRow>(
    _ reporter: RowReporter<Row>, _ body: (Item) throws -> OperationResult
  ) throws {
    try forEach { entry in
      switch entry {
      case .passThrough(let object): try reporter.passThrough(object)
      case .invalid(let failure, let row):
        guard let position = row.position else { throw failure }
        try reporter.flush()
        reporter.reportInvalidLine(failure, at: position)
      case .item(let item, let row):
        do {
          reporter.count(try reporter.passingOn(fieldsOf: row) { try body(item) })
        } catch let error as any CodedError where !error.isInterruption && !(error is OutputError) {
          try reporter.flush()
          try reporter.reportFailed(Failure(error), row)
        }
      }
      return true
    }
  }
}
