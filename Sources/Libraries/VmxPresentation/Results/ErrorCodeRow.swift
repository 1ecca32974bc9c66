package import VmxModel

/// The fields of an error code in listings.
package enum ErrorCodeField: String, ListingField {
  case code, status, retry, sentence, hint

  package static let defaultFields: [ErrorCodeField] = [.code, .status, .retry, .sentence]

  package var column: Column {
    switch self {
    case .sentence, .hint: Column(heading, .left, .end)
    case .status: Column("STATUS", .right)
    default: Column(heading)
    }
  }
}

/// A row of the error catalogue.
package struct ErrorCodeRow: ListingRow {
  private let code: ErrorCode

  /// Creates the row of an error code.
  package init(_ code: ErrorCode) {
    self.code = code
  }

  package var id: String { code.rawValue }
  package var kind: RowKind? { .code }

  package func cell(_ field: ErrorCodeField) -> Cell {
    Cell(exact(field), field == .code ? .strong : .plain)
  }

  package func exact(_ field: ErrorCodeField) -> String {
    let entry = code.entry
    return switch field {
    case .code: code.rawValue
    case .status: String(entry.status.rawValue)
    case .retry: entry.retry.name
    case .sentence: entry.sentence
    case .hint: entry.hint
    }
  }

  package func json(_ field: ErrorCodeField) -> JSONValue? {
    field == .status
      ? .integer(Int64(code.entry.status.rawValue)) : .string(exact(field))
  }
}

extension ErrorCodeRow {
  /// All details of the code as labelled lines.
  package var details: Details {
    let entry = code.entry
    return Details(
      heading: code.rawValue,
      lines: [
        Details.Line("what", entry.sentence), Details.Line("do", entry.hint),
        Details.Line("retry", Self.text(for: entry.retry)),
        Details.Line("status", String(entry.status.rawValue)),
      ])
  }

  private static func text(for retry: RetryClass) -> String {
    switch retry {
    case .never: "never; a command can retry"
    case .later: "in the next run"
    case .wait(let reason): "automatically after the wait (\(reason.rawValue))"
    }
  }
}
