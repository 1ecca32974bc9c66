package import VmxModel

/// The record of an episode in pipes.
///
/// `schema`, `id`, `rev`, `title`, `show`, `show_title`, `want`, `state`, `lacks`, `priority`,
/// `keep`, `watched`, `added` and `parts` are always there, the other fields where there is
/// something to say. Fields are only ever added. Secrets and their references never stand here.
package enum EpisodeJSON {
  /// The version of the records; it changes only if a field ever has to.
  package static let schema: Int64 = 1
  /// The `row` of what a tool tells beside its results.
  package static let warning = "warning"

  /// The keys that are ours; all others of a record from a pipe pass through.
  package static let known: Set<String> = Set(EpisodeField.allCases.map(\.rawValue))
    .union(["schema", "stage", "outcome", "error", "hint"])

  /// The record, whole or with only these fields beside `schema` and `id`.
  package static func record(
    of episode: Episode, _ facts: EpisodeFacts, _ fields: [EpisodeField]? = nil
  ) -> JSONObject {
    var object = head(episode.id.description)
    for field in fields ?? whole where object[field.rawValue] == nil {
      object.append(field.rawValue, value(of: field, episode, facts))
    }
    return object
  }

  /// The first keys of every record.
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
