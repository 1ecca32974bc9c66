/// The fields of a step of `vmx clean` in listings.
package enum CleaningField: String, ListingField {
  case step, outcome, bytes, id
  case explanation = "text"
  case part, path
  case relativePath = "relative_path"
  case root, rev, code, message, inverse

  package static let defaultFields: [CleaningField] = [.step, .outcome, .bytes, .id, .explanation]

  package var key: FieldKey {
    switch self {
    case .step: FieldKey(.word, "The step, as in vmx-clean(1)")
    case .outcome: .outcome
    case .bytes: FieldKey(.bytes, "The size that it frees or affects", heading: "SIZE")
    case .id: FieldKey(.text, "The episode, file, root or kind of step")
    case .explanation: FieldKey(.text, "The reason, in words", fitting: .end)
    case .part: FieldKey(.text, "The name of the part")
    case .path: FieldKey(.text, "The absolute path of the file or folder", fitting: .end)
    case .relativePath:
      FieldKey(.text, "The path relative to the root or the cache", fitting: .end)
    case .root: FieldKey(.text, "The UUID of the root")
    case .rev:
      FieldKey(.number, "The revision of the record, which --apply compares", side: .left)
    case .code: FieldKey(.word, "The reported error code, as in vmx-errors(7)")
    case .message: .errorMessage
    case .inverse: FieldKey(.text, "The command that undoes it, or none")
    }
  }

  /// The keys of a row, which has more of the step than the fields of a listing.
  static let rowKeys =
    JSONKey.keys(of: [.step, .explanation] as [CleaningField])
    + [
      JSONKey("reason", .word, meaning: "The reason for the removal: watched, expired, space, rule")
    ]
    + JSONKey.keys(of: [.bytes, .part, .rev, .root, .path] as [CleaningField])
    + [JSONKey("path_hex", .text, meaning: "The same in hexadecimal, if not UTF-8")]
    + JSONKey.keys(of: [CleaningField.relativePath])
    + [
      JSONKey("relative_path_hex", .text, meaning: "The same in hexadecimal, if not UTF-8"),
      JSONKey("found", .text, meaning: "The present path of the file, relative to the root"),
      JSONKey("target", .text, meaning: "The new path of the file, relative to the root"),
      JSONKey("name", .text, meaning: "The name of the entry in the trash or the journal"),
    ] + JSONKey.keys(of: [CleaningField.code])
    + [
      JSONKey("size", .bytes, meaning: "The size of the file at the time of the plan"),
      JSONKey(
        "modified", .time, meaning: "The modification time of the file, with nine decimal digits"),
      JSONKey("inode", .text, meaning: "The inode number of the file"),
      JSONKey("sha256", .text, meaning: "The computed SHA-256 of the file, in hexadecimal"),
      JSONKey("permanent", .boolean, meaning: "Whether the files are deleted without the trash"),
    ] + JSONKey.keys(of: [CleaningField.inverse])
}
