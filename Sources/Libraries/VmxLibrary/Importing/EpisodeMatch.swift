package import VmxModel
package import VmxStore

// Identity by evidence. A source, a feed item, and a show with a number or a day name an episode.
// Equal bytes and the id of a catalogue only suggest one: the same film may stand under two numbers,
// and people copy ids. So these two never join a description with an episode of another number or
// another day.

/// The episodes of a library that a description means, by its evidence.
package struct EpisodeMatch {
  /// The episodes, by id; with more than one the description is ambiguous.
  package let episodes: [Episode]
  /// The keys that the episode may keep: not those by which another one is known.
  package let keys: [IdentityKey]

  /// Searches for the episodes.
  ///
  /// - Parameters:
  ///   - excluded: episodes that are known to be others; weak keys do not lead to them.
  /// - Throws: errors of the store.
  package init(
    of description: EpisodeDescription, _ keys: [IdentityKey], in library: any EpisodeLookup,
    excluding excluded: Set<EpisodeID> = []
  ) throws {
    let weak = keys.filter(\.isWeak)
    var ids = Set(library.find(keys.filter { !$0.isWeak }))
    var foreign: Set<EpisodeID> = []
    for id in Set(library.find(weak)) where !ids.contains(id) {
      guard let episode = try library.episode(id) else { continue }
      if excluded.contains(id) || description.contradicts(episode) {
        foreign.insert(id)
      } else {
        ids.insert(id)
      }
    }
    episodes = try ids.sorted().compactMap { try library.episode($0) }
    // Without another key it would not be found again.
    guard !foreign.isEmpty, weak.count < keys.count else {
      self.keys = keys
      return
    }
    self.keys = keys.filter { key in
      !key.isWeak || foreign.isDisjoint(with: library.find([key]))
    }
  }
}
