/// An episode as its source or the user describes it: a line of JSON, or the options of `vmx add`.
///
/// A request, not a record: it says nothing about the files on disk. States, paths, revisions and
/// unknown fields are ignored. Its URLs still contain users and passwords; the caller moves them
/// into the secrets file before it stores the episode.
package struct EpisodeDescription: Sendable, Equatable {
  /// The requested id; nil to derive it from the other fields.
  package var id: EpisodeID?
  /// The title of the episode.
  package var title: String?
  /// The show as a slug or a title, as given.
  package var show: String?
  /// The title of the show where `show` is its slug.
  package var showTitle: String?
  /// The season; 0 for specials, never negative.
  package var season: Int64?
  /// The number within the season; never negative.
  package var number: Int64?
  /// The day of first showing.
  package var date: CalendarDay?
  /// The description of the content.
  package var summary: String?
  /// The requested `Want`.
  package var want: Want?
  /// The priority; higher values come first.
  package var priority: Int64?
  /// Whether cleaning must never remove it.
  package var isKept: Bool?
  /// Whether it was watched to the end.
  package var isWatched: Bool?
  /// Whether it may be fetched over a metered network.
  package var isMeteredOK: Bool?
  /// The time after which it may no longer be watched.
  package var expires: Timestamp?
  /// The parts, new or already known, that the episode requires to be `ready`.
  package var required: PartSelection?
  /// The files, the video first; names are unique.
  package private(set) var parts: [PartDescription] = []
  private var names: Set<String> = []

  /// Creates an empty description.
  package init() {}

  /// Adds a part; a video is inserted before the others.
  ///
  /// - Throws: `bad-line` if a part of that name exists.
  package mutating func add(_ part: PartDescription) throws(Failure) {
    guard names.insert(part.name).inserted else {
      throw Failure(.badLine, "part '\(part.name)' is given twice")
    }
    parts.insert(part, at: part.role == .video ? 0 : parts.count)
  }

  /// The video, if the description has one.
  package var video: PartDescription? { parts.first { $0.role == .video } }
}

/// One file of an episode as its source or the user describes it.
package struct PartDescription: Sendable, Equatable {
  /// The role of the part.
  package var role: PartRole
  /// The language as a BCP 47 tag in canonical spelling.
  package var language: String?
  /// Whether the subtitles cover only dialogue in another language.
  package var isForced = false
  /// Whether the subtitles also describe sounds (SDH).
  package var isSDH = false
  /// Whether the episode is `ready` only with this part.
  package var isRequired: Bool
  /// The alternative files in order of preference; empty for a file that is only on disk.
  package var variants: [VariantDescription]

  /// Creates a part of the given role; only a video is required by default.
  package init(role: PartRole, language: String? = nil, variants: [VariantDescription]) {
    self.role = role
    self.language = language
    isRequired = role == .video
    self.variants = variants
  }

  /// The name within the episode, as in `Part.name`.
  package var name: String { part(holding: []).name }

  /// Converts the description to a part for the store, in state `new`.
  ///
  /// - Parameter sources: returns the reference under which a URL's user and password are stored.
  package func part<Problem>(
    sources reference: (WebURL) throws(Problem) -> String?
  ) throws(Problem) -> Part {
    var kept: [Variant] = []
    for variant in variants { kept.append(try variant.variant(sources: reference)) }
    return part(holding: kept)
  }

  private func part(holding variants: [Variant]) -> Part {
    var part = Part(role: role, language: language, variants: variants)
    part.isForced = isForced
    part.isSDH = isSDH
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
    return Variant(
      height: height, bitrate: bitrate, type: type, size: size, sha256: sha256,
      duration: duration, sources: kept)
  }
}
