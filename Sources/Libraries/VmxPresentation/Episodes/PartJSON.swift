import VmxModel

/// Encodes a part within the record of its episode.
enum PartJSON {
  static func record(of part: Part, _ facts: EpisodeFacts) -> JSONObject {
    var object = JSONObject()
    object.append("role", part.role.rawValue)
    object.append("lang", part.language)
    object.append("forced", part.isForced ? true : nil)
    object.append("sdh", part.isSDH ? true : nil)
    object.append("required", .bool(part.isRequired))
    object.append("state", part.state.rawValue)
    object.append("at", part.resumeState?.rawValue)
    object.append("code", part.code?.rawValue)
    object.append("message", part.message)
    object.append("reason", part.reason?.rawValue)
    object.append("until", part.until?.text)
    object.append("path", facts.file(of: part))
    object.append("size", part.size.map { .integer($0.bytes) })
    object.append("held", .integer(facts.held(of: part).bytes))
    object.append("sha256", part.sha256?.hex)
    object.append("original", part.original.map { .object($0.record) })
    object.append("proof", part.proof?.rawValue)
    object.append("proven", part.proven?.text)
    object.append("variants", .array(part.variants.map { .object(record(of: $0, in: part)) }))
    return object
  }

  private static func record(of variant: Variant, in part: Part) -> JSONObject {
    var object = JSONObject()
    object.append("height", variant.height.map { .integer($0) })
    object.append("bitrate", variant.bitrate.map { .integer($0) })
    object.append("type", variant.type)
    object.append("size", variant.size.map { .integer($0.bytes) })
    object.append("sha256", variant.sha256?.hex)
    object.append("duration", variant.duration.map { .integer($0) })
    if part.chosen != nil, variant == part.variant { object.append("chosen", true) }
    // Only the address is shown; the secrets file has user and password, and their reference is
    // private.
    let sources = variant.sources.map { source in
      JSONValue.object(JSONObject(distinct: [("url", .string(source.url))]))
    }
    object.append("sources", .array(sources))
    return object
  }
}
