/// An episode as its source or the user describes it: a line of JSON, or the options of `vmx add`.
///
/// It is a request, not a record, and says nothing about the files on disk. States, paths,
/// revisions and unknown fields are ignored. Its URLs still contain users and passwords; the caller
/// moves them into the secrets file before it stores the episode.
@dynamicMemberLookup
package struct EpisodeDescription: Sendable, Equatable {
  /// The effect of a description's sources on the existing episode with its id.
  package enum Joining: Sendable {
    /// Adds the sources to the existing ones.
    case adding
    /// Replaces the existing sources that have failed.
    case replacing
  }

  /// The requested id; nil to derive it from the other fields.
  package var id: EpisodeID?
  /// The effect of a description that only has further sources for an existing episode; nil for a
  /// full description.
  package var joining: Joining?
  /// The title of the episode.
  package var title: String?
  /// The show as a slug or a title, as given.
  package var show: String?
  /// The title of the show if `show` is its slug.
  package var showTitle: String?
  /// The fields that describe the episode, which are also members of the description. A row cannot
  /// set the feed.
  package var text = EpisodeText()
  /// The requested `Want`.
  package var want: Want?
  /// The priority; higher values come first.
  package var priority: Int64?
  /// Whether cleaning must never remove it.
  package var isKept: Bool?
  /// Whether it was watched to the end.
  package var isWatched: Bool?
  /// The time of that mark; nil if unknown.
  package var watchedAt: Timestamp?
  /// Whether it may be fetched over a metered network.
  package var isMeteredOK: Bool?
  /// Identity keys beyond those of its other fields: ids at sites.
  package var identity: [IdentityKey] = []
  /// Identity keys that only find candidates, and are not recorded.
  package var lookups: [IdentityKey] = []
  /// The guids and URLs of all items of its document.
  package var siblings: Set<IdentityKey> = []
  /// The rule of its feed for another version of a ready episode.
  package var versionRule = VersionRule.keep
  /// Further days of publication, such as that in UTC.
  package var otherDays: [CalendarDay] = []
  /// Published sizes of the video in bytes. They are often wrong, so only a key made of one and
  /// the file name is recorded.
  package var sizes: Set<Int64> = []
  /// The playing time of a file in milliseconds, which is evidence and is not recorded.
  package var measuredDuration: Int64?
  /// The file name of the video without its extension, from the URL of an enclosure or from a file.
  package var fileName: String?
  /// Whether its source has no other episode of that day.
  package var isOnlyOfDay = false
  /// Whether its source has no other episode of that title.
  package var isOnlyOfTitle = false
  /// The source of its values; those in `derived` are from a name.
  package var origin = FieldOrigin.person
  /// The slug of the show, if another show has the slug of its title.
  package var ownSlug: Slug?
  /// Whether the day identifies an episode within its show, as in a daily show. A channel of a site
  /// may publish several episodes a day.
  package var isDaily = true
  /// Whether the description only fills missing fields of an existing episode, and its id is only a
  /// proposal. A catalogue describes episodes, but has no files.
  package var fills = false
  /// The fields that were derived from the path of a file. They only fill missing fields of an
  /// existing episode.
  package var derived: Set<PathField> = []
  /// The fields whose values are from the tags of a file.
  package var tagged: Set<Episode.Field> = []
  /// The id of its show at TVMaze.
  package var tvmazeShow: Int64?
  /// The parts, new or existing, that the episode requires to be `ready`.
  package var required: PartSelection?
  /// The files, the video first; names are unique.
  package private(set) var parts: [PartDescription] = []
  private var names: Set<String> = []

  /// Creates an empty description.
  package init() {}

  /// A field of `text`.
  @inlinable
  package subscript<Value>(
    dynamicMember field: WritableKeyPath<EpisodeText, Value>
  ) -> Value {
    get { text[keyPath: field] }
    set { text[keyPath: field] = newValue }
  }

  /// Adds a part; a video is inserted before the others.
  ///
  /// - Throws: `bad-line` if a part of that name exists.
  package mutating func add(_ part: PartDescription) throws(Failure) {
    guard names.insert(part.name).inserted else {
      throw Failure(.badLine, "part '\(part.name)' is given twice")
    }
    parts.insert(part, at: part.role == .video ? 0 : parts.count)
  }

  /// Whether an episode has another season and number or, if either has no number, another day.
  package func contradicts(_ episode: Episode) -> Bool {
    if let number = text.number, let other = episode.number {
      return number != other || (text.season ?? 1) != (episode.season ?? 1)
    }
    if let date = text.date, let other = episode.date { return date != other }
    return false
  }

  /// Adds a URL as a variant of the video.
  package mutating func addVideo(from url: WebURL) {
    if parts.first?.role != .video {
      parts.insert(PartDescription(role: .video, variants: []), at: 0)
      names.insert(parts[0].name)
    }
    parts[0].variants.append(VariantDescription(sources: [url]))
  }

  /// The video, if the description has one.
  package var video: PartDescription? { parts.first { $0.role == .video } }
}

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
    try text.read(fields)
    want = try fields.value("want")
    priority = try fields.integer("priority")
    isKept = try fields.bool("keep")
    isWatched = try fields.bool("watched")
    watchedAt = try fields.timestamp("watched_at")
    isMeteredOK = try fields.bool("metered_ok")
    if let variant = try VariantDescription(single: fields) {
      try add(PartDescription(role: .video, variants: [variant]))
    }
    if let tvmaze = text.tvmaze {
      identity.append(.outside(catalogue: "tvmaze", id: "\(tvmaze)"))
      // Specials have no number, and several may be shown on one day.
      isDaily = text.number != nil
    }
    tvmazeShow = try fields.natural("tvmaze_show")
    for part in try fields.objects("parts") { try add(PartDescription(part, of: id)) }
    // 'vmx show' prints an object under this name, which is not a request.
    if let text = object["licence"]?.string { try add(PartDescription(licence: WebURL(text))) }
    if parts.isEmpty, id == nil {
      throw Failure(.badLine, "'\(title ?? "episode")' has neither 'url' nor 'parts'")
    }
  }
}

extension EpisodeDescription {
  /// Sets the fields of an episode to those that the description has, by the strength of their
  /// sources. Want and parts are not changed, because they need the importer's rules.
  ///
  /// - Parameter isNew: whether the episode is created from this description.
  package func apply(to episode: inout Episode, isNew: Bool = false) {
    if isNew {
      episode.by = FieldOrigins(origin)
      // A title of a path or of tags is not that of a person, so that a feed replaces it.
      episode.by[.title] = origin(of: .title)
      // The title of the new episode is made of its id or its URL.
      if title == nil { episode.by[.title] = .name }
    }
    for field in DescriptiveField.all { field.set(&episode, self) }
    guard !fills else { return }
    if let priority { episode.priority = priority }
    if let isMeteredOK { episode.isMeteredOK = isMeteredOK }
    applyMarks(to: &episode, isNew: isNew)
  }

  /// Sets the missing fields of an episode, and those of weaker sources.
  package func fill(_ episode: inout Episode) {
    var description = self
    description.fills = true
    description.apply(to: &episode)
  }

  /// Sets the marks. The newest mark wins, so a mark of unknown age changes only an episode that
  /// was never marked, unless a person sets it.
  private func applyMarks(to episode: inout Episode, isNew: Bool) {
    let mayMark = isNew || origin == .person
    if let isKept, mayMark { episode.isKept = isKept }
    guard let isWatched, isWatched != episode.isWatched else { return }
    if mayMark {
      episode.isWatched = isWatched
      if isNew { episode.watchedAt = watchedAt }
    } else if let watchedAt {
      if episode.watchedAt.map({ $0 < watchedAt }) ?? true {
        episode.markWatched(isWatched, at: watchedAt)
      }
    } else if episode.watchedAt == nil {
      episode.isWatched = isWatched
    }
  }
}

extension EpisodeDescription {
  /// Returns the episode that the description would create, for plans and listings. It has the
  /// proposed id, and its sources have no secrets.
  package func proposal(now: Timestamp) -> Episode {
    var episode = Episode(
      id: proposedID, title: resolvedTitle, showTitle: resolvedShowTitle, added: now,
      parts: parts.map { part in part.part { _ in nil } })
    apply(to: &episode, isNew: true)
    return episode
  }
}

/// A field of a description that may be derived from the path of a file.
package enum PathField: Sendable {
  case title, showTitle, season, number, date
}

/// Values derived from a description that does not contain them.
extension EpisodeDescription {
  /// The first source of the video, else the first source of any part.
  private var primary: WebURL? {
    let parts = [video].compactMap { $0 } + parts
    return parts.lazy.flatMap(\.variants).flatMap(\.sources).first
  }

  /// The given title, else the last component of the URL without its extension.
  package var resolvedTitle: String {
    if let title { return title }
    if let stem = primary?.stem, !stem.isEmpty { return stem }
    return id?.episode ?? primary?.host ?? "untitled"
  }

  /// The given title of the show, else the show or the host.
  package var resolvedShowTitle: String {
    showTitle ?? show ?? primary?.host ?? id?.show ?? "unknown"
  }

  /// The first half of the id, which names the show.
  package var showSlug: Slug {
    if let ownSlug { return ownSlug }
    if let half = id?.show, let slug = Slug(valid: half) { return slug }
    let name = show ?? resolvedShowTitle
    return Slug(transliterating: name, fallback: name)
  }

  /// The title of the show if it is certain: given as a title, not as a slug or by a path.
  package var exactShowTitle: String? {
    guard let title = showTitle ?? show, !derived.contains(.showTitle),
      title != showSlug.description
    else { return nil }
    return title
  }

  /// The given id, else one made of the show and the number, the day or the title, in this order.
  package var proposedID: EpisodeID {
    if let id {
      guard let ownSlug, let half = Slug(valid: id.episode) else { return id }
      return EpisodeID(show: ownSlug, episode: half)
    }
    if let number = text.number {
      return EpisodeID(show: showSlug, episode: .episode(season: text.season ?? 1, number: number))
    }
    if let date = text.date, isDaily { return EpisodeID(show: showSlug, episode: .day(date)) }
    let identity = primary?.withoutTracking ?? resolvedTitle
    return EpisodeID(
      show: showSlug, episode: Slug(transliterating: resolvedTitle, fallback: identity))
  }

  /// The keys that identify the same episode in another description, the most reliable first.
  ///
  /// All sources of the video count. Its number or day counts only if the description names a show.
  /// Under a host name alone, equal numbers or days would merge unrelated episodes.
  package var identityKeys: [IdentityKey] {
    var evidence = identity
    for variant in video?.variants ?? [] {
      if let digest = variant.sha256 { evidence.append(.digest(digest.hex)) }
      evidence += variant.sources.map { .source($0.withoutTracking) }
    }
    if let page = text.pageURL.flatMap(IdentityKey.page) { evidence.append(page) }
    if let fileName { evidence += sizes.sorted().map { .sized(fileName, size: $0) } }
    if show != nil || showTitle != nil || id != nil {
      let show = showSlug.description
      if let number = text.number {
        evidence.append(.numbered(show: show, season: text.season, number: number))
      } else if let date = text.date, isDaily {
        evidence.append(.dated(show: show, day: date))
      }
      evidence += weakKeys(show)
    }
    return evidence
  }

  /// The keys of day, title and file name, which only find candidates for the table of evidence.
  private func weakKeys(_ show: String) -> [IdentityKey] {
    var keys: [IdentityKey] = []
    if let date = text.date, isOnlyOfDay, text.number != nil || !isDaily {
      keys.append(.dated(show: show, day: date))
    }
    if let title, !hasMadeTitle {
      let titles = [EpisodeSigns.folded(title: title), EpisodeSigns.foldedLetters(of: title)]
      for folded in titles.compactMap(\.self) {
        if isOnlyOfTitle { keys.append(.titled(show: show, title: folded, day: nil)) }
        if let date = text.date, !isOnlyOfTitle || text.feed == nil {
          keys.append(.titled(show: show, title: folded, day: date))
        }
      }
    }
    if let fileName { keys.append(.fileName(fileName, show: show)) }
    return keys
  }

  /// Returns its identity keys, and those of its source, for the show that it really belongs to.
  ///
  /// - Parameter keys: the keys for the slug of the show's title.
  package func rekeyed(_ keys: [IdentityKey], from before: EpisodeDescription) -> [IdentityKey] {
    let renamed = Dictionary(
      zip(before.identityKeys, identityKeys), uniquingKeysWith: { first, _ in first })
    return keys.map { renamed[$0] ?? $0 }
  }
}
