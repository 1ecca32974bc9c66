package import VmxModel

/// The fields of a place that holds files of an episode, in listings.
package enum CopyField: String, ListingField {
  case id, place, type, presence, same, verified, copies

  package static let defaultFields: [CopyField] = [.id, .presence, .verified, .type, .place]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .place: FieldKey(.text, "The absolute path of the file or bundle", .end)
    case .type: FieldKey(.word, "library, or the type of the bundle")
    case .presence: FieldKey(.word, "reachable, unreachable, missing or changed")
    case .same:
      FieldKey(.boolean, "Whether it has the same bytes as the library, if known")
    case .verified: FieldKey(.time, "The time when its bytes were last written or verified")
    case .copies: FieldKey(.number, "The number of places with the episode")
    }
  }
}

/// A place that holds files of an episode, as a row of output.
package struct CopyRow: ListingRow {
  package let id: String
  private let episodeCopy: EpisodeCopy
  private let copies: Int
  private let now: Timestamp
  private let received: JSONObject

  /// Creates the row of a place.
  ///
  /// - Parameters:
  ///   - copies: the number of places of the episode.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ id: EpisodeID, _ place: EpisodeCopy, copies: Int, now: Timestamp, received: JSONObject
  ) {
    self.id = id.description
    self.episodeCopy = place
    self.copies = copies
    self.now = now
    self.received = received
  }

  package func value(_ field: CopyField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .place: .text(nonEmpty: episodeCopy.path)
    case .type: .word(episodeCopy.type)
    case .presence:
      .word(
        episodeCopy.presence.rawValue, episodeCopy.presence == .reachable ? .success : .failure)
    case .same:
      .object(
        episodeCopy.isSame.map { .bool($0) },
        text: episodeCopy.isSame.map { $0 ? "yes" : "no" } ?? "")
    case .verified:
      .time(episodeCopy.verified, relativeTo: now, absent: "never").styled(.dim)
    case .copies: .number(copies)
    }
  }

  package func record(_ fields: [CopyField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    append(fields, to: &object)
    let known = EpisodeJSON.known.union(CopyField.allCases.map(\.rawValue))
    for field in received.without(known).fields { object.append(field.key, field.value) }
    return object
  }
}
