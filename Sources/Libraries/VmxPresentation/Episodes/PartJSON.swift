import VmxModel

/// Encodes a part within the record of its episode.
enum PartJSON {
  /// The fields that concern only the store.
  private static let hidden: Set<Part.Field> = [.root, .repairs, .chosen]
  private static let fields = Part.Field.allCases.filter { !hidden.contains($0) }

  static func record(of part: Part, _ facts: EpisodeFacts) -> JSONObject {
    var object = JSONObject()
    for (field, value) in zip(fields, part.json(of: fields)) {
      switch field {
      case .required: object.append(field.rawValue, .bool(part.isRequired))
      case .path: object.append(field.rawValue, facts.file(of: part))
      case .size:
        object.append(field.rawValue, value)
        object.append("held", .integer(facts.held(of: part).bytes))
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
        object.append(field.rawValue, value)
        continue
      }
      if part.chosen != nil, variant == part.variant { object.append("chosen", true) }
      // Only the address is shown; the secrets file has user and password, and their reference is
      // private.
      let sources = variant.sources.map { source in
        JSONValue.object(JSONObject(distinct: [("url", .string(source.url))]))
      }
      object.append(field.rawValue, .array(sources))
    }
    return object
  }
}
