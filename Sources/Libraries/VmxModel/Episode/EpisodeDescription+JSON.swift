/// The JSON line that `vmx add` accepts. The names are those of `vmx list --json`, so that another
/// library can add the listed episodes. `url`, `sha256`, `size` and `duration` at the top level
/// describe a single video.
extension EpisodeDescription {
  /// Decodes a line.
  ///
  /// - Throws: `bad-line` naming the field that is wrong, `bad-id`, `bad-url`,
  ///   `source-unsupported`.
  package init(_ object: JSONObject) throws(Failure) {
    self.init()
    if let text = object["id"]?.string { id = try EpisodeID(text) }
    let fields = FieldReader(object, of: id?.description ?? "episode", code: .badLine)
    // Only rejects an id that is not text.
    _ = try fields.string("id")
    title = try fields.text("title")
    show = try fields.text("show")
    showTitle = try fields.text("show_title")
    season = try fields.natural("season")
    number = try fields.natural("number")
    date = try fields.day("date")
    summary = try fields.text("summary")
    want = try fields.value("want")
    priority = try fields.integer("priority")
    isKept = try fields.bool("keep")
    isWatched = try fields.bool("watched")
    isMeteredOK = try fields.bool("metered_ok")
    expires = try fields.timestamp("expires")
    if let variant = try VariantDescription(single: fields) {
      try add(PartDescription(role: .video, variants: [variant]))
    }
    for part in try fields.objects("parts") { try add(PartDescription(part, of: id)) }
    if parts.isEmpty, id == nil {
      throw Failure(.badLine, "'\(title ?? "episode")' has neither 'url' nor 'parts'")
    }
  }
}

extension PartDescription {
  init(_ object: JSONObject, of id: EpisodeID?) throws(Failure) {
    let fields = FieldReader(object, of: id.map { "\($0) parts" } ?? "parts", code: .badLine)
    let role: PartRole = try fields.value("role") ?? .video
    var variants: [VariantDescription] = []
    if let single = try VariantDescription(single: fields) { variants.append(single) }
    for variant in try fields.objects("variants") {
      variants.append(try VariantDescription(variant))
    }
    self.init(role: role, language: try fields.language("lang"), variants: variants)
    isForced = try fields.bool("forced") ?? false
    isSDH = try fields.bool("sdh") ?? false
    isRequired = try fields.bool("required") ?? (role == .video)
  }

  /// Parses `LANG=URL`, where LANG may end with `.forced` or `.sdh`, the form of `--subtitle`.
  ///
  /// - Throws: `usage` for another form, `bad-url`, `source-unsupported`.
  package init(subtitle option: String) throws(Failure) {
    let halves = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let words = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    let flags = words.dropFirst().map { $0.lowercased() }
    guard halves.count == 2, let language = LanguageTag.normalised(String(words[0])),
      flags.allSatisfy({ ["forced", "sdh"].contains($0) })
    else {
      throw Failure(
        .usage, "a subtitle is given as LANG=URL, such as en=https://example.org/e.srt")
    }
    let url = try WebURL(String(halves[1]))
    self.init(
      role: .subtitle, language: language, variants: [VariantDescription(sources: [url])])
    isForced = flags.contains("forced")
    isSDH = flags.contains("sdh")
  }
}

extension VariantDescription {
  init(_ object: JSONObject) throws(Failure) {
    let fields = FieldReader(object, of: "variants", code: .badLine)
    var sources = try Self.sources(in: object)
    if let url = try fields.string("url") { sources.insert(try WebURL(url), at: 0) }
    self.init(
      sources: sources, size: try fields.byteCount("size"), sha256: try fields.sha256("sha256"),
      duration: try fields.duration("duration"))
    height = try fields.natural("height")
    bitrate = try fields.natural("bitrate")
    type = try fields.text("type")
  }

  /// Decodes the one file whose `url` is in the line or part itself; nil without a URL.
  init?(single fields: FieldReader) throws(Failure) {
    let size = try fields.byteCount("size")
    let sha256 = try fields.sha256("sha256")
    let duration = try fields.duration("duration")
    guard let url = try fields.string("url") else { return nil }
    self.init(sources: [try WebURL(url)], size: size, sha256: sha256, duration: duration)
  }

  /// Decodes the sources: texts, or objects with a `url`.
  private static func sources(in object: JSONObject) throws(Failure) -> [WebURL] {
    guard let value = object["sources"], value != .null else { return [] }
    var urls: [WebURL] = []
    for source in value.array ?? [.null] {
      guard let text = source.string ?? source.object?["url"]?.string else {
        throw Failure(.badLine, "field 'sources' of 'variants' is not an array of URLs")
      }
      urls.append(try WebURL(text))
    }
    return urls
  }
}
