package import VmxModel

/// How a field stands in a table.
package struct Column: Sendable, Equatable {
  /// Which side its text keeps to.
  package enum Side: Sendable, Equatable { case left, right }

  /// The head of the column.
  package let title: String
  /// Which side its text keeps to.
  package let side: Side
  /// Whether its text may be cut where the terminal is too narrow.
  package let isFlexible: Bool

  /// A column with its head.
  package init(_ title: String, _ side: Side = .left, isFlexible: Bool = false) {
    self.title = title
    self.side = side
    self.isFlexible = isFlexible
  }
}

/// What stands in one place of a table.
package struct Cell: Sendable, Equatable {
  /// For people; not yet escaped.
  package let text: String
  /// What it means.
  package let tone: Tone

  /// A text with its tone.
  package init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// The named fields of a kind of row; the names are what `--fields` and templates take.
package protocol ListingField: RawRepresentable, CaseIterable, Sendable, Equatable
where RawValue == String {
  /// How it stands in a table.
  var column: Column { get }
  /// The fields that stand in a table and in tab-separated lines unless others were asked for;
  /// the first names the row.
  static var usual: [Self] { get }
}

/// A view model: one record, ready for every form of output.
package protocol ListingRow {
  associatedtype Field: ListingField

  /// A field for people.
  func cell(_ field: Field) -> Cell
  /// A field for scripts: full times, sizes in bytes, `true` and `false`, empty where there is
  /// nothing.
  func exact(_ field: Field) -> String
  /// The record for pipes; `schema` and `id` stand first. With fields given, only those (and
  /// `schema` and `id`).
  func record(_ fields: [Field]?) -> JSONObject
}
