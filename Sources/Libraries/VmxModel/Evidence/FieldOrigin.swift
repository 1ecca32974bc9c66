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

/// The sources of the fields of an episode or a show, as the field `by` keeps them, and the times
/// at which a person set them.
///
/// A field that is not listed has the source `*`, and without `*` the source `feed`, which also
/// holds for all fields of records that earlier versions wrote.
package struct FieldOrigins: Sendable, Equatable {
  private static let base = "*"
  private static let times = "set"
  private static let time = "at"
  private static let standard = FieldOrigin.feed

  private var origins: [String: FieldOrigin] = [:]
  private var times: [String: Timestamp] = [:]

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

  /// The source of a field of a show.
  package subscript(show field: LibraryShow.Field) -> FieldOrigin {
    get { origins[field.rawValue] ?? rest }
    set { origins[field.rawValue] = newValue == rest ? nil : newValue }
  }

  /// Whether a person has set any field.
  var hasPerson: Bool { rest == .person || origins.values.contains(.person) }

  /// The time at which a person last set a field or took its value back; nil if no one has since
  /// the episode was added, or an earlier version recorded none.
  package func time(of field: Episode.Field) -> Timestamp? { times[field.rawValue] }

  /// Records that a person has set a field, or taken its value back.
  package mutating func set(_ field: Episode.Field, at time: Timestamp) {
    times[field.rawValue] = time
  }

  /// Takes the source of a field, and its time, from another record of the episode.
  package mutating func take(_ field: Episode.Field, from other: FieldOrigins) {
    self[field] = other[field]
    times[field.rawValue] = other.time(of: field)
  }

  /// Whether a person has set a field later than in another record of the episode.
  package func isLater(_ field: Episode.Field, than other: FieldOrigins) -> Bool {
    guard let own = time(of: field) else { return false }
    return other.time(of: field).map { $0 < own } ?? true
  }

  /// The time at which a person last set a field of a show, or took its value back; nil as for an
  /// episode.
  package func time(show field: LibraryShow.Field) -> Timestamp? { times[field.rawValue] }

  /// Records that a person has set a field of a show, or taken its value back.
  package mutating func set(show field: LibraryShow.Field, at time: Timestamp) {
    times[field.rawValue] = time
  }

  /// Takes the source of a field of a show, and its time, from another record of the show.
  package mutating func take(show field: LibraryShow.Field, from other: FieldOrigins) {
    self[show: field] = other[show: field]
    times[field.rawValue] = other.time(show: field)
  }

  /// Whether another record of the episode has a stronger source of a field, or a later value of a
  /// person.
  package func yields(_ field: Episode.Field, to other: FieldOrigins) -> Bool {
    if self[field] == .person, other[field] == .person { return other.isLater(field, than: self) }
    return self[field] < other[field]
  }
}

extension FieldOrigins {
  /// Decodes the field `by` of a record; the standard sources if it is absent or malformed.
  package init(field value: JSONValue?) {
    self = value.flatMap { Self.decode($0, in: RecordContext(subject: "")) } ?? FieldOrigins()
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
      guard let key = key.string else { return true }
      if let origin = value.string.flatMap({ FieldOrigin(rawValue: $0) }) {
        found.origins[key] = origin
      } else if key == times, case .object(let set) = value.value {
        for (field, value) in set.fields {
          found.times[field] = value.object?[time]?.string.flatMap { Timestamp($0) }
        }
      }
      return true
    }
    return found
  }

  package var json: JSONValue {
    var object = JSONObject(
      distinct: origins.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value.rawValue)) })
    if !times.isEmpty {
      let set = times.sorted { $0.key < $1.key }.map { field, time in
        (field, JSONValue.object(JSONObject(distinct: [(Self.time, .string(time.text))])))
      }
      object.append(Self.times, .object(JSONObject(distinct: set)))
    }
    return .object(object)
  }
}
