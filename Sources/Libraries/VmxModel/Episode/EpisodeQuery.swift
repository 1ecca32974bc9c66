/// A filter for episodes: an episode matches if all conditions hold; an empty condition always
/// holds.
package struct EpisodeQuery: Sendable, Equatable {
  /// Only these ids.
  package var ids: Set<EpisodeID> = []
  /// Only ids that begin with this text.
  package var prefix = ""
  /// Only ids in this share.
  package var shard: Shard?
  /// Only these shows, by slug or whole title, case ignored.
  package var shows: [String] = [] {
    didSet { foldedShows = shows.map { $0.lowercased() } }
  }
  /// Only episodes of this feed, by its id.
  package var feed: String?
  /// Only these seasons.
  package var seasons: Set<Int64> = []
  /// Only these numbers within their seasons.
  package var numbers: Set<Int64> = []
  /// Only episodes in these states.
  package var states: Set<EpisodeState> = []
  /// Whether episodes on hold, which tables show as `paused`, match beside those in `states`.
  package var includesPaused = false
  /// Only episodes with one of these wants.
  package var wants: Set<Want> = []
  /// Only episodes that this rule considers due.
  package var due: DueRule?
  /// Only episodes that lack an optional part of one of these names, such as `subtitle:en`, or of
  /// these roles.
  package var missingParts = PartSelection(roles: [])
  /// Only episodes that are marked to be kept, or only those that are not.
  package var isKept: Bool?
  /// Only episodes that are marked as watched, or only those that are not.
  package var isWatched: Bool?

  /// Only episodes that may not be watched after this time.
  package var expiringBy: Timestamp?

  /// Only episodes with a file that was never verified, or not since this time.
  package var unverifiedSince: Timestamp?

  /// The shows in lower case.
  package private(set) var foldedShows: [String] = []

  /// Creates a query that matches all episodes.
  package init() {}

  /// Whether the query matches all episodes.
  package var isEmpty: Bool { self == EpisodeQuery() }

  /// Whether the query matches an episode.
  package func matches(_ episode: Episode) -> Bool {
    (ids.isEmpty || ids.contains(episode.id))
      && (prefix.isEmpty || episode.id.description.hasPrefix(prefix))
      && (shard?.contains(episode.id) ?? true)
      && matchesShow(slug: episode.id.show, title: episode.showTitle)
      && (feed.map { $0 == episode.feed } ?? true)
      && (seasons.isEmpty || episode.season.map(seasons.contains) ?? false)
      && (numbers.isEmpty || episode.number.map(numbers.contains) ?? false)
      && (wants.isEmpty || wants.contains(episode.want))
      && (states.isEmpty && !includesPaused || states.contains(episode.state)
        || includesPaused && episode.isPaused)
      && (isKept.map { $0 == episode.isKept } ?? true)
      && (isWatched.map { $0 == episode.isWatched } ?? true)
      && (expiringBy.map { limit in episode.expires.map { $0 <= limit } ?? false } ?? true)
      && (due.map { $0.isDue(episode) } ?? true)
      && (missingParts.isEmpty || lacksAny(episode))
      && (unverifiedSince.map { Self.hasUnverified(episode, since: $0) } ?? true)
  }

  /// Whether a condition compares the id, or the show that it names.
  package var comparesID: Bool {
    !ids.isEmpty || !prefix.isEmpty || !shows.isEmpty || shard != nil
  }

  /// Returns the fields that the conditions compare, and the given ones.
  package func fields(with others: Set<Episode.Field> = []) -> EpisodeFields {
    var fields = others
    var parts: Set<Part.Field> = []
    if !shows.isEmpty { fields.insert(.showTitle) }
    if feed != nil { fields.insert(.feed) }
    if !seasons.isEmpty { fields.insert(.season) }
    if !numbers.isEmpty { fields.insert(.number) }
    if !wants.isEmpty || due != nil || includesPaused { fields.insert(.want) }
    if due != nil || expiringBy != nil { fields.insert(.expires) }
    if isKept != nil { fields.insert(.keep) }
    if isWatched != nil { fields.insert(.watched) }
    if !states.isEmpty || includesPaused { parts.formUnion([.role, .required, .state]) }
    // A failed part is due once it has another source.
    if due != nil { parts.formUnion([.state, .code, .reason, .until, .variants]) }
    if !missingParts.isEmpty {
      parts.formUnion(Part.nameFields + [.required, .state])
    }
    if unverifiedSince != nil {
      parts.formUnion([.state, .resumeState, .repairs, .path, .verifiedAt])
    }
    if !parts.isEmpty { fields.insert(.parts) }
    return EpisodeFields(fields, parts: parts)
  }

  private static func hasUnverified(_ episode: Episode, since moment: Timestamp) -> Bool {
    episode.parts.contains { part in
      guard part.path != nil, part.state == .ready || part.isToBeRepaired else { return false }
      return part.verifiedAt.map { $0 < moment } ?? true
    }
  }

  /// Whether the query matches a show with this slug and title.
  package func matchesShow(slug: String, title: @autoclosure () -> String) -> Bool {
    guard !foldedShows.isEmpty, !foldedShows.contains(slug) else { return true }
    return foldedShows.contains(title().lowercased())
  }

  private func lacksAny(_ episode: Episode) -> Bool {
    episode.parts.contains { part in
      !part.isRequired && part.state != .ready && missingParts.contains(part)
    }
  }
}

/// A selection of parts of an episode: all of a role, `subtitle`, or the part with a name,
/// `subtitle:en`, `subtitle:en.forced` or `subtitle:en.vtt`.
package struct PartSelection: Sendable, Equatable {
  private var roles: Set<PartRole> = []
  private var names: Set<String> = []

  /// Selects all parts of the given roles.
  package init(roles: Set<PartRole>) {
    self.roles = roles
  }

  /// Parses roles and names; one text may hold several, separated by commas; a role may be plural.
  ///
  /// - Throws: `usage` naming the word that is neither a role nor a name.
  package init(_ texts: [String]) throws(Failure) {
    for text in texts {
      for word in text.split(separator: ",", omittingEmptySubsequences: false) {
        try add(String(word))
      }
    }
  }

  /// Whether the selection contains no part.
  package var isEmpty: Bool { roles.isEmpty && names.isEmpty }

  /// Whether the selection contains a part.
  package func contains(_ part: Part) -> Bool {
    roles.contains(part.role) || names.contains(part.name)
  }

  private mutating func add(_ word: String) throws(Failure) {
    if let role = PartRole(word: word) {
      roles.insert(role)
    } else if let name = PartName(word) {
      names.insert(name.text)
    } else {
      throw Self.unknown(word)
    }
  }

  private static func unknown(_ word: String) -> Failure {
    let roles = PartRole.allCases.map(\.rawValue).joined(separator: ", ")
    return Failure(
      .usage, "'\(word)' is not a part",
      hint: "use \(roles), with a language if applicable: subtitle:en")
  }
}

/// The sort key of an episode in the queue; smaller keys come first.
///
/// Higher priority comes first, then favourite shows, then the earlier place. Among equal places,
/// the episode whose first line is earlier in the store comes first.
package struct QueueOrder: Sendable, Hashable, Comparable {
  /// The priority; higher values come first.
  package var priority: Int64
  /// Whether its show is a favourite.
  package var isFavourite: Bool
  /// The place in nanoseconds since 1970.
  package var place: Int64
  /// The rank of its first line among those of the store.
  package var line: Int

  /// Creates a sort key from its components.
  package init(priority: Int64, isFavourite: Bool, place: Int64, line: Int) {
    self.priority = priority
    self.isFavourite = isFavourite
    self.place = place
    self.line = line
  }

  /// Creates the sort key of an episode.
  ///
  /// - Parameters:
  ///   - isFavourite: whether there is a `favourite` record for its show.
  ///   - line: rank of its first line; a snapshot returns episodes in that order.
  package init(of episode: Episode, isFavourite: Bool, line: Int) {
    self.init(
      priority: episode.priority, isFavourite: isFavourite, place: episode.resolvedPlace, line: line
    )
  }

  package static func < (left: QueueOrder, right: QueueOrder) -> Bool {
    if left.priority != right.priority { return left.priority > right.priority }
    if left.isFavourite != right.isFavourite { return left.isFavourite }
    return (left.place, left.line) < (right.place, right.line)
  }
}

extension Episode {
  /// The assigned place, else the time of adding, in nanoseconds since 1970.
  package var resolvedPlace: Int64 { place ?? added.nanoseconds }
}
