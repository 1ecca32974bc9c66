import VmxModel

/// The keys that different episodes of one source share: an address under two numbers, two items of
/// a feed on one day. They would make one episode of two, so they are withheld.
///
/// Only hashes are kept, of which two are alike by no chance that counts.
struct SharedKeys {
  /// The only episode with a key so far, by their hashes.
  private var owners: [Int: Int] = [:]
  private var shared: Set<Int> = []

  /// Notes the keys of an episode.
  mutating func note(_ episode: LegacyEpisode) {
    let place = Place(episode).hashValue
    for key in episode.description.evidence.map(\.hashValue) {
      if owners.updateValue(place, forKey: key) ?? place != place { shared.insert(key) }
    }
  }

  /// Withholds the shared keys of an episode.
  func withhold(in episode: inout LegacyEpisode) {
    guard !shared.isEmpty else { return }
    episode.withheld = Set(
      episode.description.evidence.filter { shared.contains($0.hashValue) })
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

extension [LegacyFinding] {
  /// Withholds the keys that different episodes share.
  mutating func withholdSharedKeys() {
    var keys = SharedKeys()
    for case .episode(let episode) in self { keys.note(episode) }
    for index in indices {
      guard case .episode(var episode) = self[index] else { continue }
      keys.withhold(in: &episode)
      self[index] = .episode(episode)
    }
  }
}
