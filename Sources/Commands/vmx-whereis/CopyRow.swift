import VmxLibrary
import VmxModel
import VmxPresentation

/// A place that holds files of an episode, as a row of output.
struct CopyRow: ListingRow {
  let id: String
  private let episodeCopy: EpisodeCopy
  private let copies: Int
  private let now: Timestamp
  private let received: JSONObject

  /// Creates the row of a place.
  ///
  /// - Parameters:
  ///   - copies: the number of places of the episode.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  init(
    _ id: EpisodeID, _ copy: EpisodeCopy, copies: Int, now: Timestamp, received: JSONObject
  ) {
    self.id = id.description
    self.episodeCopy = copy
    self.copies = copies
    self.now = now
    self.received = received
  }

  func value(_ field: CopyField) -> RowValue {
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

  func record(_ fields: [CopyField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    append(fields, to: &object)
    let known = EpisodeJSON.known.union(CopyField.allCases.map(\.rawValue))
    for field in received.without(known).fields { object.append(field.key, field.value) }
    return object
  }
}
