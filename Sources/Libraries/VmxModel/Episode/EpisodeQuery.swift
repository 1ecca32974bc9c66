/// A filter for episodes: an episode matches if all conditions hold; an empty condition always
/// holds.
package struct EpisodeQuery: Sendable, Equatable {
  /// Only these ids.
  package var ids: Set<EpisodeID> = []
  /// Only these shows, by slug or whole title, case ignored.
  package var shows: [String] = [] {
    didSet { foldedShows = shows.map { $0.lowercased() } }
  }
  /// Only these seasons.
  package var seasons: Set<Int64> = []
  /// Only these numbers within their seasons.
  package var numbers: Set<Int64> = []
  /// Only episodes in these states.
  package var states: Set<EpisodeState> = []
  /// Only episodes with one of these wants.
  package var wants: Set<Want> = []
  /// Only episodes that this rule considers due.
  package var due: DueRule?
  /// Only episodes that lack an optional part of one of these names, such as `subtitle:en`, or of
  /// these roles.
  package var lacking: Set<String> = []
  /// Only episodes that are marked to be kept, or only those that are not.
  package var isKept: Bool?
  /// Only episodes that are marked as watched, or only those that are not.
  package var isWatched: Bool?

  /// Only episodes with a file that was never verified, or not since this time.
  package var unprovenSince: Timestamp?

  /// The shows in lower case.
  package private(set) var foldedShows: [String] = []

  /// Creates a query that matches all episodes.
  package init() {}

  /// Whether the query matches all episodes.
  package var isEmpty: Bool { self == EpisodeQuery() }

  /// Whether the query matches an episode.
  package func matches(_ episode: Episode) -> Bool {
    (ids.isEmpty || ids.contains(episode.id))
      && matchesShow(slug: episode.id.show, title: episode.showTitle)
      && (seasons.isEmpty || episode.season.map(seasons.contains) ?? false)
      && (numbers.isEmpty || episode.number.map(numbers.contains) ?? false)
      && (wants.isEmpty || wants.contains(episode.want))
      && (states.isEmpty || states.contains(episode.state))
      && (isKept.map { $0 == episode.isKept } ?? true)
      && (isWatched.map { $0 == episode.isWatched } ?? true)
      && (due.map { $0.isDue(episode) } ?? true)
      && (lacking.isEmpty || lacksOne(episode))
      && (unprovenSince.map { Self.hasUnproven(episode, since: $0) } ?? true)
  }

  /// Whether a condition compares the id, or the show that it names.
  package var comparesID: Bool { !ids.isEmpty || !shows.isEmpty }

  /// The fields that the conditions compare.
  package var fields: EpisodeFields {
    var fields: Set<Episode.Field> = []
    var parts: Set<Part.Field> = []
    if !shows.isEmpty { fields.insert(.showTitle) }
    if !seasons.isEmpty { fields.insert(.season) }
    if !numbers.isEmpty { fields.insert(.number) }
    if !wants.isEmpty || due != nil { fields.insert(.want) }
    if isKept != nil { fields.insert(.keep) }
    if isWatched != nil { fields.insert(.watched) }
    if !states.isEmpty { parts.formUnion([.role, .required, .state]) }
    if due != nil { parts.formUnion([.state, .code, .reason, .until]) }
    if !lacking.isEmpty { parts.formUnion([.role, .lang, .forced, .sdh, .required, .state]) }
    if unprovenSince != nil { parts.formUnion([.state, .path, .proven]) }
    if !parts.isEmpty { fields.insert(.parts) }
    return EpisodeFields(fields, parts: parts)
  }

  private static func hasUnproven(_ episode: Episode, since moment: Timestamp) -> Bool {
    episode.parts.contains { part in
      guard part.path != nil, [.ready, .missing, .damaged].contains(part.state) else {
        return false
      }
      return part.proven.map { $0 < moment } ?? true
    }
  }

  /// Whether the query matches a show with this slug and title.
  package func matchesShow(slug: String, title: @autoclosure () -> String) -> Bool {
    guard !foldedShows.isEmpty, !foldedShows.contains(slug) else { return true }
    return foldedShows.contains(title().lowercased())
  }

  private func lacksOne(_ episode: Episode) -> Bool {
    episode.parts.contains { part in
      !part.isRequired && part.state != .ready
        && (lacking.contains(part.name) || lacking.contains(part.role.rawValue))
    }
  }
}
