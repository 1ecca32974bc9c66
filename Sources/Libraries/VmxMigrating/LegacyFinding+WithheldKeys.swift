import VmxModel

/// The keys that different episodes of one source share: a URL of two numbers, two items of a feed
/// on one day. They would merge two episodes into one, so they are withheld.
///
/// Only hashes of 64 bits are kept; the probability of a collision is negligible.
struct SharedKeys {
  /// The hash of the only episode with a key so far, by the hash of the key.
  private var owners: [Int: Int] = [:]
  private var shared: Set<Int> = []

  /// Records the keys of an episode.
  mutating func record(_ episode: LegacyEpisode) {
    let place = Place(episode).hashValue
    for key in episode.description.identityKeys.map(\.hashValue) {
      if owners.updateValue(place, forKey: key) ?? place != place { shared.insert(key) }
    }
  }

  /// Sets the withheld keys of an episode to those that other episodes share.
  func withhold(in episode: inout LegacyEpisode) {
    guard !shared.isEmpty else { return }
    episode.withheld = Set(
      episode.description.identityKeys.filter { shared.contains($0.hashValue) })
  }

  /// The fields by which records of one source distinguish their episodes.
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
    for case .episode(let episode) in self { keys.record(episode) }
    for index in indices {
      guard case .episode(var episode) = self[index] else { continue }
      keys.withhold(in: &episode)
      self[index] = .episode(episode)
    }
  }
}
