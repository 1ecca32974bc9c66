/// The fields of a key of JSON output in listings.
package enum KeyField: String, ListingField {
  case shape, key, type, unit, meaning, tools, contains

  package static let defaultFields: [KeyField] = [.shape, .key, .type, .unit, .meaning]

  package var key: FieldKey {
    switch self {
    case .shape: FieldKey(.word, "The shape of the rows with the key")
    case .key: FieldKey(.text, "The path of the key; absent in the row of the shape itself")
    case .type: FieldKey(.word, "The JSON type")
    case .unit: FieldKey(.text, "The unit or form of the value")
    case .meaning: FieldKey(.text, "The description", fitting: .wrapped)
    case .tools: FieldKey(.list, "The tools that print such rows, without vmx-")
    case .contains: FieldKey(.list, "The shapes whose keys the rows have as well")
    }
  }
}
