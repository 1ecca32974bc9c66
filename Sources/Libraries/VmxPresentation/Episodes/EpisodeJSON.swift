package import VmxModel

/// The record of an episode in pipes.
///
/// `schema`, `id`, `rev`, `title`, `show`, `show_title`, `want`, `state`, `lacks`, `priority`,
/// `keep`, `watched`, `added` and `parts` are always present. The other fields are present only if
/// they have a value. Later versions only add fields. The record never contains secrets or their
/// references.
package enum EpisodeJSON {
  /// The version of the record format; it changes only if an existing field has to change.
  package static let schema: Int64 = 1

  /// The keys that `vmx` defines; all other keys of a record from a pipe are passed on.
  package static let known: Set<String> = Set(EpisodeField.allCases.map(\.rawValue))
    .union(["schema", "row", "stage", "outcome", "error", "hint"])

  /// Returns the complete record, or only the given fields with `schema` and `id`.
  package static func record(
    of episode: Episode, _ facts: EpisodeFacts, _ fields: [EpisodeField]? = nil
  ) -> JSONObject {
    var object = head(episode.id.description)
    let plan = fields.map { FieldPlan($0) } ?? fullPlan
    var recorded = episode.json(of: plan.recorded)[...]
    for (field, isRecorded) in plan.fields {
      let value = isRecorded ? recorded.removeFirst() : nil
      guard object[field.rawValue] == nil else { continue }
      object.append(field.rawValue, value ?? derived(field, episode, facts))
    }
    if fields == nil {
      object.append(EpisodeField.rank.rawValue, derived(.rank, episode, facts))
    }
    return object
  }

  /// Returns the first keys of every record.
  ///
  /// - Parameter kind: the kind of a row that is about no episode; nil for an episode.
  package static func head(_ id: String, _ kind: RowKind? = nil) -> JSONObject {
    let head: [(String, JSONValue)] = [("schema", .integer(schema)), ("id", .string(id))]
    return JSONObject(distinct: head + (kind.map { [("row", .string($0.rawValue))] } ?? []))
  }

  /// Returns the first keys of a record: of an episode, or of this kind if the id is of none.
  static func head(_ id: String, else kind: RowKind) -> JSONObject {
    head(id, EpisodeID(valid: id) == nil ? kind : nil)
  }

  /// The fields of a listing, and the subset that are fields of the record.
  private struct FieldPlan {
    let fields: [(field: EpisodeField, isRecorded: Bool)]
    let recorded: [Episode.Field]

    init(_ fields: [EpisodeField]) {
      let matches = fields.map(\.recordField)
      self.fields = zip(fields, matches).map { ($0, $1 != nil) }
      recorded = matches.compactMap { $0 }
    }
  }

  private static let fullPlan = FieldPlan(EpisodeField.recorded)

  /// Returns a derived field, or a field of the record that is always shown.
  private static func derived(
    _ field: EpisodeField, _ episode: Episode, _ facts: EpisodeFacts
  ) -> JSONValue? {
    switch field {
    case .rev: .integer(episode.rev)
    case .priority: .integer(episode.priority)
    case .keep: .bool(episode.isKept)
    case .watched: .bool(episode.isWatched)
    case .lacks: .array(episode.missingParts.map { .string($0) })
    case .parts: .array(episode.parts.map { .object(PartJSON.record(of: $0, facts)) })
    case .due: .bool(facts.due.isDue(episode))
    case .rank: facts.rank.map { .integer(Int64($0)) }
    case .position: facts.position.map { .integer($0.milliseconds) }
    case .work: facts.work.map { .object($0.record) }
    case .size: episode.video?.size.map { .integer($0.bytes) }
    case .completedBytes: episode.video.map { .integer(facts.completedBytes(of: $0).bytes) }
    case .show, .state, .code, .reason, .until, .path, .imageFile, .showAgeRating:
      text(EpisodeRow(episode, facts).exact(field))
    default: nil
    }
  }

  private static func text(_ text: String) -> JSONValue? {
    text.isEmpty ? nil : .string(text)
  }
}

/// Encodes a part within the record of its episode.
enum PartJSON {
  /// The fields that concern only the store.
  private static let hidden: Set<Part.Field> = [.repairs, .chosen]
  private static let fields = Part.Field.allCases.filter { !hidden.contains($0) }

  static func record(of part: Part, _ facts: EpisodeFacts) -> JSONObject {
    var object = JSONObject()
    for (field, value) in zip(fields, part.json(of: fields)) {
      switch field {
      case .required: object.append(field.rawValue, .bool(part.isRequired))
      case .path:
        object.append(field.rawValue, facts.file(of: part))
        object.append("relative_path", value)
      case .resumeState: object.append("resume_state", value)
      case .size:
        object.append(field.rawValue, value)
        object.append("held", .integer(facts.completedBytes(of: part).bytes))
      case .variants:
        let variants = part.variants.map { JSONValue.object(record(of: $0, in: part)) }
        object.append(field.rawValue, .array(variants))
      default: object.append(field.rawValue, value)
      }
    }
    return object
  }

  private static func record(of variant: Variant, in part: Part) -> JSONObject {
    var object = JSONObject()
    let fields = Variant.Field.allCases
    for (field, value) in zip(fields, variant.json(of: fields)) {
      guard field == .sources else {
        object.append(field == .duration ? "duration_ms" : field.rawValue, value)
        continue
      }
      if part.chosen != nil, variant == part.variant { object.append("chosen", true) }
      // Only the address is shown; the secrets file has user and password, and their reference is
      // private.
      let sources = variant.sources.map { source -> JSONValue in
        var object = JSONObject(distinct: [("url", .string(source.url))])
        object.append("failed", source.failure?.rawValue)
        return JSONValue.object(object)
      }
      object.append(field.rawValue, .array(sources))
    }
    return object
  }
}

extension JSONObject {
  /// Returns the record with the fields of a row from a pipe that neither it nor vmx knows. A field
  /// of a row of another kind, such as the network of a show, does not describe this one.
  package func adding(unknownOf received: JSONObject) -> JSONObject {
    guard !received.fields.isEmpty else { return self }
    var object = self
    let kind = received["row"]?.string
    var unknown = received.without(EpisodeJSON.known)
    if kind != self["row"]?.string { unknown = unknown.without(JSONShape.keys(ofKind: kind)) }
    for field in unknown.fields where object[field.key] == nil {
      object.append(field.key, field.value)
    }
    return object
  }
}
