package import VmxModel

/// The output forms of rows.
package enum OutputForm<Field: ListingField>: Sendable, Equatable {
  /// A table on a terminal, tab-separated lines elsewhere.
  case columns([Field])
  /// JSON Lines, complete or with only these fields.
  case json([Field]?)
  /// The user's template.
  case template(OutputTemplate<Field>)
  /// The first field of each row, terminated by NUL.
  case nul([Field])
}

extension ListingField {
  /// Parses the value of `--fields`: names separated by commas.
  ///
  /// - Throws: `usage` for an unknown field; the hint lists the known ones.
  package static func fields(from text: String) throws(Failure) -> [Self] {
    var fields: [Self] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      fields.append(try field(named: String(name)))
    }
    return fields
  }

  /// Returns the field with a name.
  ///
  /// - Throws: `usage` for an unknown field; the hint lists the known ones.
  package static func field(named name: String) throws(Failure) -> Self {
    if let field = Self(rawValue: name) { return field }
    let names = allCases.map(\.rawValue)
    throw Failure(
      .usage, "there is no field '\(name)'", hint: "the fields are \(names.joined(separator: ", "))"
    )
  }
}
