package import VmxModel

/// The forms in which rows can be printed.
package enum OutputForm<Field: ListingField>: Sendable, Equatable {
  /// A table on a terminal, tab-separated lines elsewhere.
  case columns([Field])
  /// JSON Lines, whole or with only these fields.
  case json([Field]?)
  /// The user's template.
  case template(OutputTemplate<Field>)
  /// The name of each row, ended by NUL.
  case nul([Field])
}

extension ListingField {
  /// Reads the value of `--fields`: names joined by commas.
  ///
  /// - Throws: `usage` naming an unknown field and those there are.
  package static func fields(from text: String) throws(Failure) -> [Self] {
    var fields: [Self] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      fields.append(try field(named: String(name)))
    }
    return fields
  }

  /// The field of that name.
  ///
  /// - Throws: `usage` naming those there are.
  package static func field(named name: String) throws(Failure) -> Self {
    if let field = Self(rawValue: name) { return field }
    let names = allCases.map(\.rawValue)
    throw Failure(
      .usage, "there is no field '\(name)'", hint: "the fields are \(names.joined(separator: ", "))"
    )
  }
}
