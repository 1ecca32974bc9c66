/// One file of an episode as its source or the user describes it.
package struct PartDescription: NamedPart, Sendable, Equatable {
  /// The name of the part.
  package var partName: PartName
  /// Whether the episode is `ready` only with this part.
  package var isRequired: Bool
  /// The alternative files in order of preference; empty for a file that is only on disk.
  package var variants: [VariantDescription]

  /// Creates a part of the given role; only a video is required by default.
  package init(role: PartRole, language: String? = nil, variants: [VariantDescription]) {
    self.init(PartName(role: role, language: language), variants: variants)
  }

  /// Creates a part with a name; only a video is required by default.
  package init(_ name: PartName, variants: [VariantDescription]) {
    partName = name
    isRequired = name.role == .video
    self.variants = variants
  }

  /// Returns the part with a name that no other file has; nil if there is none.
  ///
  /// Subtitles in a second format of the same language and kind get the format in their name.
  ///
  /// - Parameters:
  ///   - fileExtension: the extension of the file.
  ///   - other: returns the extension of the file of a part; nil if no file has that name.
  package func named(
    _ fileExtension: String, beside other: (_ name: String) -> String?
  ) -> PartDescription? {
    guard let taken = other(name) else { return self }
    var part = self
    part.format = SubtitleFormat(fileExtension: fileExtension)
    let isOther = part.format != nil && part.format != SubtitleFormat(fileExtension: taken)
    guard role == .subtitle, isOther, !isIndex, other(part.name) == nil else { return nil }
    return part
  }

  /// Converts the description to a part for the store, in state `new`.
  ///
  /// - Parameter sources: returns the reference under which a URL's user and password are stored.
  package func part<Problem>(
    sources reference: (WebURL) throws(Problem) -> String?
  ) throws(Problem) -> Part {
    var kept: [Variant] = []
    for variant in variants { kept.append(try variant.variant(sources: reference)) }
    var part = Part(partName, variants: kept)
    part.isRequired = isRequired
    return part
  }
}

/// One alternative file of a part as its source or the user describes it.
package struct VariantDescription: Sendable, Equatable {
  /// The height of the picture in lines.
  package var height: Int64?
  /// The bit rate in bits per second.
  package var bitrate: Int64?
  /// The media type.
  package var type: String?
  /// The size in bytes.
  package var size: ByteCount?
  /// The SHA-256 of the whole file.
  package var sha256: Digest?
  /// The duration in milliseconds.
  package var duration: Int64?
  /// The mirrors, in the order in which they are tried.
  package var sources: [WebURL]

  /// Creates a file with its mirrors.
  package init(
    sources: [WebURL], size: ByteCount? = nil, sha256: Digest? = nil, duration: Int64? = nil
  ) {
    self.sources = sources
    self.size = size
    self.sha256 = sha256
    self.duration = duration
  }

  func variant<Problem>(
    sources reference: (WebURL) throws(Problem) -> String?
  ) throws(Problem) -> Variant {
    var kept: [Source] = []
    for url in sources {
      let secret = url.user == nil ? nil : try reference(url)
      kept.append(Source(url: url.text, secret: secret))
    }
    var variant = Variant(
      height: height, bitrate: bitrate, type: type, size: size, sha256: sha256, sources: kept)
    variant.duration = duration
    return variant
  }
}

extension PartDescription {
  init(_ object: JSONObject, of id: EpisodeID?) throws(Failure) {
    let fields = FieldReader(object, of: id.map { "\($0) parts" } ?? "parts", code: .badLine)
    let name = try PartName(fields)
    var variants: [VariantDescription] = []
    if let single = try VariantDescription(single: fields) { variants.append(single) }
    for variant in try fields.objects("variants") {
      variants.append(try VariantDescription(variant))
    }
    self.init(name, variants: variants)
    isRequired = try fields.bool("required") ?? (role == .video)
  }

  /// Creates the key part of a licence; without it the episode cannot be played.
  ///
  /// - Parameter url: the address of the licence document; nil if it is given as a file.
  package init(licence url: WebURL?) {
    self.init(
      role: .key, variants: url.map { [VariantDescription(sources: [$0])] } ?? [])
    isRequired = true
  }

  /// Parses `LANG=URL`, the form of `--subtitle`, where LANG may end with the words of `PartName`:
  /// `.forced`, `.sdh`, `.vtt`, `.idx`.
  ///
  /// - Throws: `usage` for another form, `bad-url`, `source-unsupported`.
  package init(subtitle option: String) throws(Failure) {
    let halves = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let name = PartName("\(PartRole.subtitle.rawValue):\(halves[0])")
    else {
      throw Failure(
        .usage, "invalid subtitle; use LANG=URL, such as en=https://example.org/e.srt")
    }
    let url = try WebURL(String(halves[1]))
    self.init(name, variants: [VariantDescription(sources: [url])])
  }
}

extension VariantDescription {
  init(_ object: JSONObject) throws(Failure) {
    let fields = FieldReader(object, of: "variants", code: .badLine)
    var sources = try Self.sources(in: object)
    if let url = try fields.string("url") { sources.insert(try WebURL(url), at: 0) }
    self.init(
      sources: sources, size: try fields.byteCount("size"), sha256: try fields.sha256("sha256"),
      duration: try fields.playingTime())
    height = try fields.natural("height")
    bitrate = try fields.natural("bitrate")
    type = try fields.text("type")
  }

  /// Decodes the single file whose `url` is in the line or part itself; nil without a URL.
  init?(single fields: FieldReader) throws(Failure) {
    let size = try fields.byteCount("size")
    let sha256 = try fields.sha256("sha256")
    let duration = try fields.playingTime()
    guard let url = try fields.string("url") else { return nil }
    self.init(sources: [try WebURL(url)], size: size, sha256: sha256, duration: duration)
  }

  /// Decodes the sources: strings, or objects with a `url`.
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

extension FieldReader {
  /// Returns the playing time of a file in milliseconds: `duration_ms`, or `duration` as in records
  /// of the store.
  fileprivate func playingTime() throws(Failure) -> Int64? {
    if let time = try duration("duration_ms") { return time }
    return try duration("duration")
  }
}
