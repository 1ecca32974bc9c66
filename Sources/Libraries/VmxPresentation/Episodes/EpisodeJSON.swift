package import VmxModel

/// The record of an episode in pipes.
///
/// `schema`, `id`, `rev`, `title`, `show`, `show_title`, `want`, `state`, `lacks`, `priority`,
/// `keep`, `watched`, `added` and `parts` are always present. The other fields are present only if
/// they have a value. Later versions only add fields. The record never contains secrets or their
/// references.
package enum EpisodeJSON {
  /// The version of the records; it changes only if a field has to change.
  package static let schema: Int64 = 1
  /// The value of `row` in messages beside the results.
  package static let warning = "warning"

  /// The keys that `vmx` defines; all other keys of a record from a pipe are passed on.
  package static let known: Set<String> = Set(EpisodeField.allCases.map(\.rawValue))
    .union(["schema", "stage", "outcome", "error", "hint"])

  /// Returns the complete record, or only the given fields with `schema` and `id`.
  package static func record(
    of episode: Episode, _ facts: EpisodeFacts, _ fields: [EpisodeField]? = nil
  ) -> JSONObject {
    var object = head(episode.id.description)
    for field in fields ?? whole where object[field.rawValue] == nil {
      object.append(field.rawValue, value(of: field, episode, facts))
    }
    return object
  }

  /// Returns the first keys of every record.
  package static func head(_ id: String) -> JSONObject {
    JSONObject(distinct: [("schema", .integer(schema)), ("id", .string(id))])
  }

  private static let whole: [EpisodeField] = [
    .rev, .title, .show, .showTitle, .season, .number, .date, .summary, .want, .state, .code,
    .reason, .until, .lacks, .priority, .place, .after, .keep, .watched, .meteredOK, .expires,
    .added, .parts,
  ]

  private static func value(
    of field: EpisodeField, _ episode: Episode, _ facts: EpisodeFacts
  ) -> JSONValue? {
    switch field {
    case .rev: .integer(episode.rev)
    case .season: episode.season.map { .integer($0) }
    case .number: episode.number.map { .integer($0) }
    case .priority: .integer(episode.priority)
    case .place: episode.place.map { .integer($0) }
    case .after:
      episode.after.isEmpty ? nil : .array(episode.after.map { .string($0.description) })
    case .keep: .bool(episode.isKept)
    case .watched: .bool(episode.isWatched)
    case .meteredOK: episode.isMeteredOK ? true : nil
    case .lacks: .array(episode.lacks.map { .string($0) })
    case .parts: .array(episode.parts.map { .object(PartJSON.record(of: $0, facts)) })
    case .due: .bool(facts.due.isDue(episode))
    case .size: video(of: episode)?.size.map { .integer($0.bytes) }
    case .held: video(of: episode).map { .integer(facts.held(of: $0).bytes) }
    default: text(EpisodeRow(episode, facts).exact(field))
    }
  }

  private static func video(of episode: Episode) -> Part? {
    episode.parts.first { $0.role == .video }
  }

  private static func text(_ text: String) -> JSONValue? {
    text.isEmpty ? nil : .string(text)
  }
}
