/// The fields of a step of `vmx migrate` in listings.
package enum MigrationField: String, ListingField {
  case outcome, id, kind, part, path, target, size, doubts, evidence, changed, reason, code, message

  package static let defaultFields: [MigrationField] = [
    .outcome, .id, .part, .size, .path, .doubts,
  ]
  package static let recorded: [MigrationField] = [
    .kind, .part, .path, .target, .size, .evidence, .doubts, .changed,
  ]

  package var key: FieldKey {
    switch self {
    case .outcome: .outcome
    case .id: FieldKey(.text, "The file or the episode")
    case .kind: FieldKey(.word, "The source program, as in --from")
    case .part: FieldKey(.text, "The name of the part")
    case .path: FieldKey(.text, "The absolute path of the file", fitting: .end)
    case .target: FieldKey(.text, "The new path of the file, relative to the root", fitting: .end)
    case .size: FieldKey(.bytes, "The size of the file")
    case .doubts: FieldKey(.list, "The doubts, as words of vmx-migrate(1)", fitting: .end)
    case .evidence: FieldKey(.list, "The evidence for the episode, as phrases", fitting: .end)
    case .changed:
      FieldKey(
        .list, "The fields of a known episode that change, as in episode rows", fitting: .end)
    case .reason: FieldKey(.word, "The reason if it is unchanged, as in vmx-states(7)")
    case .code: .errorCode
    case .message: .errorMessage
    }
  }
}
