/// What follows from a description where it does not say so itself.
extension EpisodeDescription {
  /// The first place where the video can be had, else the first of any part.
  private var primary: WebURL? {
    let parts = [video].compactMap { $0 } + parts
    return parts.lazy.flatMap(\.variants).flatMap(\.sources).first
  }

  /// The title as given, else the last component of the URL without its extension.
  package var resolvedTitle: String {
    if let title { return title }
    if let stem = primary?.stem, !stem.isEmpty { return stem }
    return id?.episode ?? primary?.host ?? "untitled"
  }

  /// The show's title as given, else the host.
  package var resolvedShowTitle: String {
    showTitle ?? show ?? primary?.host ?? id?.show ?? "unknown"
  }

  /// The show's half of the id.
  package var showSlug: Slug {
    if let half = id?.show, let slug = Slug(valid: half) { return slug }
    let name = show ?? resolvedShowTitle
    return Slug(transliterating: name, fallback: name)
  }

  /// The id as given, else made of the show and, in this order, the number, the day or the title.
  package var proposedID: EpisodeID {
    if let id { return id }
    if let number {
      return EpisodeID(
        show: showSlug, episode: .episode(season: season ?? 1, number: number))
    }
    if let date { return EpisodeID(show: showSlug, episode: .day(date)) }
    let identity = primary?.withoutTracking ?? resolvedTitle
    return EpisodeID(
      show: showSlug, episode: Slug(transliterating: resolvedTitle, fallback: identity))
  }

  /// What tells that another description means the same episode, the surest first.
  ///
  /// All sources of the video count, and its place in the show where a show is named: under a
  /// host's name alone, a number or day would join what does not belong together.
  package var evidence: [IdentityKey] {
    var evidence: [IdentityKey] = []
    for variant in video?.variants ?? [] {
      if let digest = variant.sha256 { evidence.append(.digest(digest.hex)) }
      evidence += variant.sources.map { .source($0.withoutTracking) }
    }
    if show != nil || showTitle != nil || id != nil {
      let show = showSlug.description
      if let number {
        evidence.append(.numbered(show: show, season: season ?? 1, number: number))
      } else if let date {
        evidence.append(.dated(show: show, day: date))
      }
    }
    return evidence
  }
}
