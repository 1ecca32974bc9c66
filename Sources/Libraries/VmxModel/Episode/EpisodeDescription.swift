/// What somebody says of an episode: a line of JSON, or the options of `vmx add`.
///
/// A wish, not a record: nothing in it says what is on disk. States, paths, revisions and all
/// fields it does not know are passed over. It still holds users and passwords within its URLs;
/// whoever stores it puts those into the secrets file.
package struct EpisodeDescription: Sendable, Equatable {
  /// The id asked for; made from the rest where there is none.
  package var id: EpisodeID?
  /// Title of the episode.
  package var title: String?
  /// The show as a slug or title, whatever was given.
  package var show: String?
  /// The show's title where `show` is its slug.
  package var showTitle: String?
  /// Season, 0 for specials; never negative.
  package var season: Int64?
  /// Number within the season, never negative.
  package var number: Int64?
  /// Day of first showing.
  package var date: CalendarDay?
  /// What it is about.
  package var summary: String?
  /// What is asked for.
  package var want: Want?
  /// Higher goes first.
  package var priority: Int64?
  /// Never to be cleaned away.
  package var isKept: Bool?
  /// Seen to the end.
  package var isWatched: Bool?
  /// May use a metered network.
  package var isMeteredOK: Bool?
  /// When it may no longer be watched.
  package var expires: Timestamp?
  /// Parts, of this description or known before, without which the episode is not `ready`.
  package var required: PartSelection?
  /// Its files, the video first; names are unique.
  package private(set) var parts: [PartDescription] = []
  private var names: Set<String> = []

  /// A description that says nothing yet.
  package init() {}

  /// Adds a part; a video goes before the others.
  ///
  /// - Throws: `bad-line` if there is a part of that name.
  package mutating func add(_ part: PartDescription) throws(Failure) {
    guard names.insert(part.name).inserted else {
      throw Failure(.badLine, "part '\(part.name)' is given twice")
    }
    parts.insert(part, at: part.role == .video ? 0 : parts.count)
  }

  /// The video, where one is given.
  package var video: PartDescription? { parts.first { $0.role == .video } }
}

/// What somebody says of one file of an episode.
package struct PartDescription: Sendable, Equatable {
  /// What it is for.
  package var role: PartRole
  /// Language as BCP 47, in its usual spelling.
  package var language: String?
  /// Subtitles only for what is said in another language.
  package var isForced = false
  /// Subtitles that also tell what is heard.
  package var isSDH = false
  /// Whether the episode is `ready` only with this part.
  package var isRequired: Bool
  /// The files it may be, in order of preference; empty for a file that is only on disk.
  package var variants: [VariantDescription]

  /// A part of a role; the video is required, nothing else is by itself.
  package init(role: PartRole, language: String? = nil, variants: [VariantDescription]) {
    self.role = role
    self.language = language
    isRequired = role == .video
    self.variants = variants
  }

  /// Its name within the episode, as `Part.name`.
  package var name: String { part(holding: []).name }

  /// The part as the store keeps it, `new`.
  ///
  /// - Parameter sources: gives the reference under which user and password of a URL are kept.
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

/// What somebody says of one of the files that can stand for a part.
package struct VariantDescription: Sendable, Equatable {
  /// Lines of the picture.
  package var height: Int64?
  /// Bits per second.
  package var bitrate: Int64?
  /// Media type.
  package var type: String?
  /// Bytes.
  package var size: ByteCount?
  /// Digest of the whole.
  package var sha256: Digest?
  /// Milliseconds that it plays.
  package var duration: Int64?
  /// Mirrors, in the order in which they are tried.
  package var sources: [WebURL]

  /// A file at its mirrors.
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
