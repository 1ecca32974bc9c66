/// The source of a recorded value. A weaker source fills a field; the same or a stronger one
/// replaces it.
package enum FieldOrigin: String, Sendable, CaseIterable, Comparable {
  /// The name of a file or folder.
  case name
  /// The tags in the container of a file.
  case tags
  /// An NFO file.
  case nfo
  /// The record of another program, or of another library.
  case program
  /// A feed or a catalogue.
  case feed
  /// A person.
  case person

  private var strength: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package static func < (left: FieldOrigin, right: FieldOrigin) -> Bool {
    left.strength < right.strength
  }
}

/// The sources of the fields of an episode, as the field `by` keeps them.
///
/// A field that is not listed has the source `*`, and without `*` the source `feed`, which also
/// holds for all fields of records that earlier versions wrote.
package struct FieldOrigins: Sendable, Equatable {
  private static let base = "*"
  private static let standard = FieldOrigin.feed

  private var origins: [String: FieldOrigin] = [:]

  /// Creates the sources of a record with one source for all fields.
  package init(_ origin: FieldOrigin = .feed) {
    if origin != Self.standard { origins[Self.base] = origin }
  }

  private var rest: FieldOrigin { origins[Self.base] ?? Self.standard }

  /// The source of a field.
  package subscript(field: Episode.Field) -> FieldOrigin {
    get { origins[field.rawValue] ?? rest }
    set { origins[field.rawValue] = newValue == rest ? nil : newValue }
  }
}

extension FieldOrigins: FieldValue {
  package static let expected = "an object of sources"

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) -> FieldOrigins? {
    guard value.isObject else { return nil }
    var found = FieldOrigins()
    // A source that a later version names counts as the standard one.
    value.forEachField { key, value in
      if let key = key.string, let origin = value.string.flatMap({ FieldOrigin(rawValue: $0) }) {
        found.origins[key] = origin
      }
      return true
    }
    return found
  }

  package var json: JSONValue {
    .object(
      JSONObject(
        distinct: origins.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.rawValue)) }))
  }
}
