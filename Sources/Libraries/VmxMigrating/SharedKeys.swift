import VmxModel

extension [LegacyFinding] {
  /// Withholds the keys that different episodes of one source share: an address under two numbers,
  /// two items of a feed on one day. They would make one episode of two.
  mutating func withholdSharedKeys() {
    var places: [IdentityKey: Set<Place>] = [:]
    for case .episode(let episode) in self {
      for key in episode.description.evidence { places[key, default: []].insert(Place(episode)) }
    }
    let shared = Set(places.lazy.filter { $0.value.count > 1 }.map(\.key))
    guard !shared.isEmpty else { return }
    for index in indices {
      guard case .episode(var episode) = self[index] else { continue }
      episode.withheld = shared.intersection(episode.description.evidence)
      self[index] = .episode(episode)
    }
  }

  /// How records of one source tell their episodes apart.
  private struct Place: Hashable {
    let show: Slug
    let season: Int64?
    let number: Int64?
    let date: CalendarDay?
    let title: String?
    let identity: [IdentityKey]

    init(_ episode: LegacyEpisode) {
      let description = episode.description
      show = description.showSlug
      season = description.season
      number = description.number
      date = description.date
      title = number == nil ? description.title : nil
      identity = episode.identity
    }
  }
}
