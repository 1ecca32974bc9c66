extension Part {
  init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    var variants: [Variant] = []
    for variant in try fields.objects("variants") {
      variants.append(try Variant(record: variant, of: id))
    }
    self.init(
      role: try fields.value("role") ?? .video, language: try fields.string("lang"),
      variants: variants)
    isForced = try fields.bool("forced") ?? false
    isSDH = try fields.bool("sdh") ?? false
    isRequired = try fields.bool("required") ?? (role == .video)
    state = try fields.value("state") ?? .new
    beneath = try fields.value("at")
    code = try fields.string("code").flatMap(ErrorCode.init)
    message = try fields.string("message")
    reason = try fields.value("reason")
    until = try fields.timestamp("until")
    root = try fields.string("root")
    path = try fields.string("path")
    size = try fields.byteCount("size")
    sha256 = try fields.sha256("sha256")
    proof = try fields.value("proof")
    proven = try fields.timestamp("proven")
    chosen = try fields.string("chosen")
    original = try object["original"]?.object.flatMap { (object) throws(Failure) in
      try OriginalFile(record: object, of: id)
    }
    repairs = try object["repairs"]?.object.flatMap { (object) throws(Failure) in
      try DamagedFile(record: object, of: id)
    }
    // A code of a later version is none to us, but stays with the part while it rests there.
    let isForeign = code == nil && object["code"]?.string != nil
    extra = object.without(isForeign ? Self.known.subtracting(["code"]) : Self.known)
  }

  /// The part as it stands in the store.
  package var record: JSONObject {
    var object = JSONObject()
    object.append("role", role.rawValue)
    object.append("lang", language)
    object.append("forced", isForced ? true : nil)
    object.append("sdh", isSDH ? true : nil)
    object.append("required", isRequired == (role == .video) ? nil : .bool(isRequired))
    object.append("state", state.rawValue)
    object.append("at", beneath?.rawValue)
    object.append("code", code?.rawValue)
    object.append("message", message)
    object.append("reason", reason?.rawValue)
    object.append("until", until?.text)
    object.append("root", root)
    object.append("path", path)
    object.append("size", size.map { .integer($0.bytes) })
    object.append("sha256", sha256?.hex)
    object.append("proof", proof?.rawValue)
    object.append("proven", proven?.text)
    object.append("original", original.map { .object($0.record) })
    object.append("repairs", repairs.map { .object($0.record) })
    object.append("chosen", chosen)
    object.append("variants", .array(variants.map { .object($0.record) }))
    let hasForeignCode = code == nil && beneath != nil
    for field in extra.fields where field.key != "code" || hasForeignCode {
      object.append(field.key, field.value)
    }
    return object
  }

  private static let known: Set<String> = [
    "role", "lang", "forced", "sdh", "required", "state", "at", "code", "message", "reason",
    "until", "root", "path", "size", "sha256", "proof", "proven", "original",
    "repairs", "chosen", "variants",
  ]
}

extension Variant {
  init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    var sources: [Source] = []
    for source in try fields.objects("sources") {
      sources.append(try Source(record: source, of: id))
    }
    self.init(
      height: try fields.integer("height"), bitrate: try fields.integer("bitrate"),
      type: try fields.string("type"), size: try fields.byteCount("size"),
      sha256: try fields.sha256("sha256"), duration: try fields.duration("duration"),
      sources: sources)
    extra = object.without(Self.known)
  }

  /// The variant as it stands in the store.
  package var record: JSONObject {
    var object = JSONObject()
    object.append("height", height.map { .integer($0) })
    object.append("bitrate", bitrate.map { .integer($0) })
    object.append("type", type)
    object.append("size", size.map { .integer($0.bytes) })
    object.append("sha256", sha256?.hex)
    object.append("duration", duration.map { .integer($0) })
    object.append("sources", .array(sources.map { .object($0.record) }))
    for field in extra.fields { object.append(field.key, field.value) }
    return object
  }

  private static let known: Set<String> = [
    "height", "bitrate", "type", "size", "sha256", "duration", "sources",
  ]
}

extension Source {
  init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    self.init(url: try fields.string("url") ?? "", secret: try fields.string("secret"))
    extra = object.without(["url", "secret"])
  }

  /// The source as it stands in the store.
  package var record: JSONObject {
    var object = JSONObject()
    object.append("url", url)
    object.append("secret", secret)
    for field in extra.fields { object.append(field.key, field.value) }
    return object
  }
}
