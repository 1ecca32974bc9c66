/// Values derived from a description where it does not contain them.
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
    if let half = id?.show, let slug = Slug(valid: half) { return slug }
    let name = show ?? resolvedShowTitle
    return Slug(transliterating: name, fallback: name)
  }

  /// The given id, else one made of the show and the number, the day or the title, in this order.
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

  /// The keys that identify the same episode in another description, the most reliable first.
  ///
  /// All sources of the video count. Its number or day counts only if the description names a show.
  /// Under a host name alone, equal numbers or days would merge unrelated episodes.
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
