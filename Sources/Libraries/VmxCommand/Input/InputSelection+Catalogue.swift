package import VmxModel
package import VmxPresentation

/// A request, or a row to pass on.
package protocol CatalogueItem: Sendable {
  /// The row to pass on; nil for a request.
  var passThroughRow: JSONObject? { get }
}

extension ShowRequest: CatalogueItem {
  package var passThroughRow: JSONObject? {
    if case .passThrough(let row) = self { row } else { nil }
  }
}

extension PersonRequest: CatalogueItem {
  package var passThroughRow: JSONObject? {
    if case .passThrough(let row) = self { row } else { nil }
  }
}

extension InputSelection where Item: CatalogueItem {
  /// Calls the body with each given show or person, and reports those for which it fails.
  ///
  /// A row that failed at an earlier stage, or a warning, is passed on.
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
        guard let place = row.position else { throw failure }
        try reporter.flush()
        reporter.reportInvalidLine(failure, at: place)
      case .item(let item, let row):
        if let passed = item.passThroughRow {
          try reporter.passThrough(passed)
          return true
        }
        do {
          reporter.count(try body(item))
        } catch let error as any CodedError where !error.isInterruption && !(error is OutputError) {
          try reporter.flush()
          try reporter.reportFailed(Failure(error), row)
        }
      }
      return true
    }
  }
}
