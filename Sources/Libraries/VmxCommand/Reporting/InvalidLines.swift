package import VmxModel
package import VmxPresentation

// A list of forty addresses that a spreadsheet has quoted is one mistake, not forty. The first
// lines show what is wrong; the range of the others tells where to look.

/// The invalid lines of the input, grouped by their errors.
struct InvalidLines: Sendable {
  /// The number of lines with the same error that are reported in full.
  static let limit = 3
  /// The number of different errors that are grouped; lines with others are reported in full.
  private static let maxGroups = 50

  /// The lines of a stream with the same error.
  private struct Group {
    let stream: String
    let error: String
    let code: ErrorCode
    var count = 0
    /// The first and the last line that is not reported in full.
    var rest: (first: InputPosition, last: InputPosition)?
  }

  private var groups: [Group] = []

  /// Counts a line.
  ///
  /// - Returns: whether it is to be reported in full.
  mutating func add(_ failure: Failure, at position: InputPosition) -> Bool {
    let error = "\(failure.code.rawValue): \(Self.unquoted(failure.summary))"
    let known = groups.firstIndex { $0.stream == position.stream && $0.error == error }
    if known == nil {
      guard groups.count < Self.maxGroups else { return true }
      groups.append(Group(stream: position.stream, error: error, code: failure.code))
    }
    let index = known ?? groups.count - 1
    groups[index].count += 1
    guard groups[index].count > Self.limit else { return true }
    groups[index].rest = (groups[index].rest?.first ?? position, position)
    return false
  }

  /// For each error with further lines their number, at the position of the first of them.
  var remainder: [(failure: Failure, position: InputPosition)] {
    groups.compactMap { group in
      guard let rest = group.rest else { return nil }
      let count = group.count - Self.limit
      let (lines, range) =
        count == 1
        ? ("line", "line \(rest.first.line)")
        : ("lines", "lines \(rest.first.line)-\(rest.last.line)")
      let summary = "… and \(count) more \(lines) with the same error (\(range))"
      return (Failure(group.code, summary, hint: ""), rest.first)
    }
  }

  /// Returns a summary without its quoted texts, which differ between lines with the same error.
  private static func unquoted(_ summary: String) -> String {
    summary.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "" }.joined(separator: "'")
  }
}

extension RowReporter {
  /// Prints the row of a line that a server sent and that is invalid, and reports and counts it as
  /// an invalid line.
  ///
  /// - Throws: as `print`.
  package func reportInvalid(_ row: Row, _ failure: Failure) throws(OutputError) {
    countInvalidLine()
    try print(row)
    guard !isJSON else { return }
    context.messages.report(failure, id: context.parental.allows(row: row.id) ? row.id : nil)
  }
}
