/// The fields of a finding in listings.
package enum FindingField: String, ListingField {
  case check, severity, code, summary = "what", subject, line, outcome, hint

  package static let defaultFields: [FindingField] = [
    .check, .severity, .code, .line, .summary, .subject,
  ]

  package var key: FieldKey {
    switch self {
    case .check: FieldKey(.word, "The name of the check", importance: 2)
    case .severity: FieldKey(.word, "ok, note or problem", importance: 2)
    case .code: FieldKey(.word, "The error code of a problem, as in vmx-errors(7)")
    case .summary: FieldKey(.text, "The finding, in words", fitting: .wrapped, importance: 2)
    case .subject: FieldKey(.text, "The file, episode or setting", fitting: .middle)
    case .line: FieldKey(.number, "The line of the store, counted from 1")
    case .outcome: FieldKey(.word, "With --mend: mended, planned or left")
    case .hint: FieldKey(.text, "The next step for the user", fitting: .wrapped)
    }
  }
}
