package import VmxModel

/// The fields of a place that holds files of an episode, in listings.
package enum CopyField: String, ListingField {
  case id, place, type, presence, same, verified, copies

  package static let defaultFields: [CopyField] = [.id, .presence, .verified, .type, .place]

  package var column: Column {
    switch self {
    case .place: Column(heading, .left, .end)
    case .copies: Column(heading, .right)
    default: Column(heading)
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

  package func cell(_ field: CopyField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .presence: Cell(exact(field), episodeCopy.presence == .reachable ? .success : .failure)
    case .verified:
      Cell(episodeCopy.verified.map { TimeText.relative($0, to: now) } ?? "never", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: CopyField) -> String {
    switch field {
    case .id: id
    case .place: episodeCopy.path
    case .type: episodeCopy.type
    case .presence: episodeCopy.presence.rawValue
    case .same: episodeCopy.isSame.map { $0 ? "yes" : "no" } ?? ""
    case .verified: episodeCopy.verified?.text ?? ""
    case .copies: String(copies)
    }
  }

  package func json(_ field: CopyField) -> JSONValue? {
    switch field {
    case .copies: .integer(Int64(copies))
    case .same: episodeCopy.isSame.map { .bool($0) }
    default: exact(field).isEmpty ? nil : .string(exact(field))
    }
  }

  package func record(_ fields: [CopyField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    for field in fields ?? Self.recorded where field != .id {
      object.append(field.rawValue, json(field))
    }
    let known = EpisodeJSON.known.union(CopyField.allCases.map(\.rawValue))
    for field in received.without(known).fields { object.append(field.key, field.value) }
    return object
  }
}
