package import VmxModel

extension StoreTransaction {
  /// Gives an episode another id, which becomes an alias of the new one; its position and its
  /// licence follow. The episode is written as given otherwise.
  ///
  /// - Returns: the recorded episode.
  package mutating func rename(_ episode: Episode, to new: EpisodeID) -> Episode {
    let old = episode.id
    delete(.alias, new.description)
    delete(.episode, old.description)
    delete(.progress, old.description)
    for kind in [RecordKind.position, .licence] {
      guard var record = record(kind, old.description) else { continue }
      delete(kind, old.description)
      record.id = new.description
      write(record)
    }
    var episode = episode
    episode.id = new
    episode = recorded(episode)
    writeAlias(old, new)
    return episode
  }
}
