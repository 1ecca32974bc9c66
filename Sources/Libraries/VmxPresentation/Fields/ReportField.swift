/// The fields of a report in listings.
package enum ReportField: String, ListingField {
  case id, outcome, event, order, at
  case until, code, message

  package static let defaultFields: [ReportField] = [.id, .outcome, .event, .order, .at]
  package static let recorded: [ReportField] = [.event, .order, .at, .until]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .outcome: .outcome
    case .event:
      FieldKey(.word, "The step as in vmx-report(1), or the call to a licence provider")
    case .order: FieldKey(.word, "The order: remove, revoke, extend or fetch-again")
    case .at: FieldKey(.time, "The time of the step")
    case .until: FieldKey(.time, "The new end in the order")
    case .code: .errorCode
    case .message: .errorMessage
    }
  }
}
