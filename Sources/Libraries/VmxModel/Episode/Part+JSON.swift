extension Part {
  init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    var variants: [Variant] = []
    for variant in try fields.objects("variants") {
      variants.append(try Variant(record: variant, of: id))
    }
    self.init(
      role: try fields.value("role") ?? .video, language: try fields.languageTag("lang"),
      variants: variants)
    isForced = try fields.bool("forced") ?? false
    isSDH = try fields.bool("sdh") ?? false
    isRequired = try fields.bool("required") ?? (role == .video)
    state = try fields.value("state") ?? .new
    resumeState = try fields.value("at")
    code = try fields.string("code").flatMap(ErrorCode.init)
    message = try fields.string("message")
    reason = try fields.value("reason")
    until = try fields.timestamp("until")
    root = try fields.string("root")
    path = try fields.path("path")
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
    // An unknown code of a later version becomes nil here but is preserved in `extra`.
    let isForeign = code == nil && object["code"]?.string != nil
    extra = object.without(isForeign ? Self.known.subtracting(["code"]) : Self.known)
  }

  /// The JSON object of the part in the store.
  package var record: JSONObject { JSONObject(of: self) }

  private static let known: Set<String> = [
    "role", "lang", "forced", "sdh", "required", "state", "at", "code", "message", "reason",
    "until", "root", "path", "size", "sha256", "proof", "proven", "original",
    "repairs", "chosen", "variants",
  ]
}

extension Part: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("role", role.rawValue)
    sink.field("lang", language)
    sink.field("forced", flag: isForced ? true : nil)
    sink.field("sdh", flag: isSDH ? true : nil)
    sink.field("required", flag: isRequired == (role == .video) ? nil : isRequired)
    sink.field("state", state.rawValue)
    sink.field("at", resumeState?.rawValue)
    sink.field("code", code?.rawValue)
    sink.field("message", message)
    sink.field("reason", reason?.rawValue)
    sink.field("until", until?.text)
    sink.field("root", root)
    sink.field("path", path)
    sink.field("size", number: size?.bytes)
    sink.field("sha256", sha256?.hex)
    sink.field("proof", proof?.rawValue)
    sink.field("proven", proven?.text)
    sink.field("original", object: original)
    sink.field("repairs", object: repairs)
    sink.field("chosen", chosen)
    sink.field("variants", objects: variants)
    let hasForeignCode = code == nil && resumeState != nil
    for field in extra.fields where field.key != "code" || hasForeignCode { sink.field(field) }
  }
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

  /// The JSON object of the variant in the store.
  package var record: JSONObject { JSONObject(of: self) }

  private static let known: Set<String> = [
    "height", "bitrate", "type", "size", "sha256", "duration", "sources",
  ]
}

extension Variant: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("height", number: height)
    sink.field("bitrate", number: bitrate)
    sink.field("type", type)
    sink.field("size", number: size?.bytes)
    sink.field("sha256", sha256?.hex)
    sink.field("duration", number: duration)
    sink.field("sources", objects: sources)
    for field in extra.fields { sink.field(field) }
  }
}

extension Source {
  init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    self.init(url: try fields.string("url") ?? "", secret: try fields.string("secret"))
    extra = object.without(["url", "secret"])
  }

  /// The JSON object of the source in the store.
  package var record: JSONObject { JSONObject(of: self) }
}

extension Source: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("url", url)
    sink.field("secret", secret)
    for field in extra.fields { sink.field(field) }
  }
}
