import VmxModel
import VmxPresentation

/// A row of the error catalogue.
struct ErrorCodeRow: ListingRow {
  private let code: ErrorCode

  /// Creates the row of an error code.
  init(_ code: ErrorCode) {
    self.code = code
  }

  var id: String { code.rawValue }
  var kind: RowKind? { .code }

  func value(_ field: ErrorCodeField) -> RowValue {
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
  var details: Details {
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
