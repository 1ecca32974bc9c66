package import VmxModel
package import VmxStore

// Episodes are identified by evidence. A source, a feed item, or a show with a number or a day
// identifies an episode. Equal bytes and the id of a catalogue are weak evidence: the same film may
// have two numbers, and users copy ids. So weak evidence never matches a description to an episode
// with another number or another day.

/// The episodes of a library that a description matches, by its evidence.
package struct EpisodeMatch {
  /// The episodes, by id; with more than one the description is ambiguous.
  package let episodes: [Episode]
  /// The keys that the episode may keep: not those that identify another episode.
  package let keys: [IdentityKey]

  /// Searches for the episodes.
  ///
  /// - Parameters:
  ///   - excluded: episodes that are known to be others; weak keys do not match them.
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
    // Without another key the episode would not be found again.
    guard !foreign.isEmpty, weak.count < keys.count else {
      self.keys = keys
      return
    }
    self.keys = keys.filter { key in
      !key.isWeak || foreign.isDisjoint(with: library.find([key]))
    }
  }
}
