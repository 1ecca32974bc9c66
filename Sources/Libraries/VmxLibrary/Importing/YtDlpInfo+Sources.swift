package import VmxModel

// The URLs of media expire. They are sources of files to be fetched now, never of existing files.
// Headers and cookies that a site requires are not imported with them.

extension YtDlpInfo {
  /// The maximum nesting depth of playlists.
  private static let maxDepth = 8
  /// Subtitle formats, the preferred first.
  private static let subtitleFormats = ["vtt", "srt", "ttml", "ass", "ssa", "sbv"]
  private static let choice = "select a single file: yt-dlp -f 'b[protocol^=http]' -J URL"

  /// A video to fetch.
  package struct Request: Sendable {
    /// Its title, for messages.
    package let name: String
    /// The episode with its sources, or the reason why it has none.
    package var description: Result<EpisodeDescription, Failure>
  }

  /// The video, or each entry of a playlist; entries that yt-dlp could not read are omitted.
  package var requests: [Request] { requests(depth: 0) }

  private func requests(depth: Int) -> [Request] {
    guard isPlaylist else {
      return [Request(name: name, description: Result { () throws(Failure) in try request() })]
    }
    guard depth < Self.maxDepth else {
      let failure = Failure(.badLine, "'\(name)' is nested in more than 8 playlists")
      return [Request(name: name, description: .failure(failure))]
    }
    let entries = object["entries"]?.array?.compactMap(\.object) ?? []
    return entries.flatMap { entry in
      YtDlpInfo(entry, in: title ?? playlist).requests(depth: depth + 1)
    }
  }

  /// The name of the video in messages.
  private var name: String { title ?? id ?? "video" }

  private func request() throws(Failure) -> EpisodeDescription {
    var description = description
    try description.add(PartDescription(role: .video, variants: [try source()]))
    for part in tracks { try description.add(part) }
    if let url = text("thumbnail").flatMap({ Self.url($0) }) {
      let variant = VariantDescription(sources: [url])
      try description.add(PartDescription(role: .image, variants: [variant]))
    }
    return description
  }

  /// Returns the file of the chosen format.
  ///
  /// - Throws: `source-unsupported` unless it is one file over http or https, `bad-url`, `bad-line`
  ///   for an object that describes no video.
  package func source() throws(Failure) -> VariantDescription {
    if let type = text("_type"), type != "video" {
      throw Failure(
        .sourceUnsupported, "'\(name)' is only a link to another page",
        hint: "run yt-dlp without --flat-playlist to follow it")
    }
    guard !isMerged else {
      throw Failure(
        .sourceUnsupported, "'\(name)' has video and sound in separate files", hint: Self.choice)
    }
    guard let address = text("url") else {
      guard id != nil else { throw Failure(.badLine, "the row is not output of 'yt-dlp -J'") }
      throw Failure(.sourceUnsupported, "'\(name)' has no URL of a file", hint: Self.choice)
    }
    guard ["http", "https"].contains(text("protocol") ?? "http"), object["fragments"] == nil else {
      throw Failure(
        .sourceUnsupported, "'\(name)' is a stream, not a file", hint: Self.choice)
    }
    var variant = VariantDescription(sources: [try WebURL(address)], size: size)
    variant.height = natural("height").flatMap { $0 > 0 ? $0 : nil }
    // yt-dlp reports the bit rate in units of 1000 bits per second.
    variant.bitrate = decimal("tbr").flatMap { Int64(exactly: ($0 * 1000).rounded()) }
      .flatMap { $0 > 0 ? $0 : nil }
    return variant
  }

  /// The subtitles, only in the requested languages if any were requested. Automatic captions are
  /// omitted.
  private var tracks: [PartDescription] {
    let offered = object["subtitles"]?.object?.fields ?? []
    let requested = object["requested_subtitles"]?.object?.fields.map(\.key) ?? []
    var parts: [PartDescription] = []
    for (key, value) in offered where requested.isEmpty || requested.contains(key) {
      guard let language = LanguageName.tag(ofTrack: key),
        !parts.contains(where: { $0.language == language })
      else { continue }
      let files = value.array?.compactMap(\.object) ?? []
      let best = Self.subtitleFormats.lazy.compactMap { format in
        files.first { $0["ext"]?.string == format }
      }.first
      guard let url = best?["url"]?.string.flatMap({ Self.url($0) }) else { continue }
      let variant = VariantDescription(sources: [url])
      parts.append(PartDescription(role: .subtitle, language: language, variants: [variant]))
    }
    return parts
  }

  private static func url(_ text: String) -> WebURL? {
    do throws(Failure) {
      return try WebURL(text)
    } catch {
      // A subtitle or picture that is a stream or a data URL is skipped: the video does not need
      // it.
      return nil
    }
  }
}
