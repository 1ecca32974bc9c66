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

  /// Returns the first keys of every record.
  ///
  /// - Parameter kind: the kind of a row that is about no episode; nil for an episode.
  package static func head(_ id: String, _ kind: RowKind? = nil) -> JSONObject {
    let head: [(String, JSONValue)] = [("schema", .integer(schema)), ("id", .string(id))]
    return JSONObject(distinct: head + (kind.map { [("row", .string($0.rawValue))] } ?? []))
  }

  /// Returns the first keys of a record: of an episode, or of this kind if the id is of none.
  package static func head(_ id: String, else kind: RowKind) -> JSONObject {
    head(id, EpisodeID(valid: id) == nil ? kind : nil)
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

  /// The keys of a part, of its file and of its variants.
  static let keys = description + files + variants

  private static let description = [
    JSONKey("parts[].role", .word, meaning: "video, subtitle, image, metadata or key"),
    JSONKey("parts[].lang", .text, meaning: "The language of a subtitle, as a BCP 47 tag"),
    JSONKey(
      "parts[].forced", .boolean, meaning: "Whether a subtitle has only foreign-language passages"),
    JSONKey("parts[].sdh", .boolean, meaning: "Whether a subtitle describes sounds too"),
    JSONKey("parts[].index", .boolean, meaning: "Whether it is the index of a VobSub pair"),
    JSONKey(
      "parts[].format", .word, meaning: "The format of a subtitle beside another of its language"),
    JSONKey("parts[].required", .boolean, meaning: "Whether the episode requires it to be ready"),
    JSONKey("parts[].state", .word, meaning: "The state, as in vmx-states(7)"),
    JSONKey("parts[].resume_state", .word, meaning: "The state from which it resumes"),
    JSONKey("parts[].code", .word, meaning: "The error code, as in vmx-errors(7)"),
    JSONKey("parts[].message", .text, meaning: "The error message"),
    JSONKey("parts[].reason", .word, meaning: "The reason for the wait, as in vmx-states(7)"),
    JSONKey("parts[].until", .time, meaning: "The time when it resumes automatically"),
  ]

  private static let files = [
    JSONKey("parts[].root", .text, meaning: "The UUID of the root of its file"),
    JSONKey("parts[].path", .text, meaning: "The path of its file; absolute if the root is known"),
    JSONKey("parts[].relative_path", .text, meaning: "The path relative to the root"),
    JSONKey("parts[].size", .bytes, meaning: "The size, if known"),
    JSONKey("parts[].held", .bytes, meaning: "The size of its data on disk"),
    JSONKey("parts[].sha256", .text, meaning: "The SHA-256 of the file, in hexadecimal"),
    JSONKey("parts[].proof", .word, meaning: "The level of proof of the bytes: vmx-store(5)"),
    JSONKey("parts[].proven", .time, meaning: "The time of the last verification"),
    JSONKey("parts[].original", .object, meaning: "The received file, if vmx converted it"),
    JSONKey("parts[].original.sha256", .text, meaning: "Its SHA-256, in hexadecimal"),
    JSONKey("parts[].original.size", .bytes, meaning: "Its size"),
    JSONKey("parts[].original.encoding", .text, meaning: "Its character encoding"),
  ]

  private static let variants = [
    JSONKey("parts[].variants", .list, meaning: "The available files"),
    JSONKey("parts[].variants[].height", .number, meaning: "The height of the picture, in pixels"),
    JSONKey("parts[].variants[].bitrate", .number, meaning: "The bitrate, in bits per second"),
    JSONKey("parts[].variants[].type", .text, meaning: "The media type"),
    JSONKey("parts[].variants[].size", .bytes, meaning: "The published size"),
    JSONKey("parts[].variants[].sha256", .text, meaning: "The published SHA-256, in hexadecimal"),
    JSONKey("parts[].variants[].duration_ms", .milliseconds, meaning: "The published duration"),
    JSONKey("parts[].variants[].chosen", .boolean, meaning: "Whether this variant is chosen"),
    JSONKey(
      "parts[].variants[].sources", .list,
      meaning: "The sources, in the order in which they are tried"),
    JSONKey(
      "parts[].variants[].sources[].url", .text, meaning: "The URL, without user and password"),
    JSONKey(
      "parts[].variants[].sources[].failed", .word,
      meaning: "The error code if the source was given up: vmx-errors(7)"),
  ]
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
