package import VmxModel

/// The layout of a field as a column of a table.
package struct Column: Sendable, Equatable {
  /// The alignment of a column.
  package enum Side: Sendable, Equatable { case left, right }

  /// The heading of the column.
  package let title: String
  /// The alignment of its text.
  package let side: Side
  /// Whether its text may be cut if the terminal is too narrow.
  package let isFlexible: Bool

  /// Creates a column.
  package init(_ title: String, _ side: Side = .left, isFlexible: Bool = false) {
    self.title = title
    self.side = side
    self.isFlexible = isFlexible
  }
}

/// The content of one cell of a table.
package struct Cell: Sendable, Equatable {
  /// The text for the user, not yet escaped.
  package let text: String
  /// The meaning of the text, which determines its colour.
  package let tone: Tone

  /// Creates a cell.
  package init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// The named fields of a kind of row; `--fields` and templates accept these names.
package protocol ListingField: RawRepresentable, CaseIterable, Sendable, Equatable
where RawValue == String {
  /// The layout of the field in a table.
  var column: Column { get }
  /// The default fields of tables and tab-separated lines; the first one identifies the row.
  static var usual: [Self] { get }
}

/// A view model: one record, ready for every form of output.
package protocol ListingRow {
  associatedtype Field: ListingField

  /// Returns a field as text for the user.
  func cell(_ field: Field) -> Cell
  /// Returns a field for scripts: full times, sizes in bytes, `true` and `false`, empty if there is
  /// no value.
  func exact(_ field: Field) -> String
  /// Returns the record for pipes, beginning with `schema` and `id`. If fields are given, it has
  /// only those in addition.
  func record(_ fields: [Field]?) -> JSONObject
}
