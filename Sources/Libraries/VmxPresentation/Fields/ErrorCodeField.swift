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
    case .sentence: FieldKey(.text, "The description", fitting: .end)
    case .hint: FieldKey(.text, "The next step for the user", fitting: .end)
    }
  }
}
