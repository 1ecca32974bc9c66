package import VmxModel

/// The fields of an error code in listings.
package enum ErrorCodeField: String, ListingField {
  case code, status, retry, sentence, hint

  package static let defaultFields: [ErrorCodeField] = [.code, .status, .retry, .sentence]

  package var key: FieldKey {
    switch self {
    case .code: FieldKey(.word, "The code")
    case .status: FieldKey(.number, "The exit status if all items failed with this code")
    case .retry:
      FieldKey(.word, "The retry class: never, later or wait, as in vmx-errors(7)")
    case .sentence: FieldKey(.text, "The description", .end)
    case .hint: FieldKey(.text, "The next step for the user", .end)
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

  package func value(_ field: ErrorCodeField) -> RowValue {
    let entry = code.entry
    return switch field {
    case .code: .word(code.rawValue, .strong)
    case .status: .number(Int64(entry.status.rawValue))
    case .retry: .word(entry.retry.name)
    case .sentence: .text(entry.sentence)
    case .hint: .text(entry.hint)
    }
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
