import VmxJSON
package import VmxModel

extension StoreSnapshot {
  /// Returns the ids of the episodes that have any of the identity keys, in no particular order.
  package func find(_ evidence: [IdentityKey]) -> [EpisodeID] {
    guard let image, !evidence.isEmpty else { return [] }
    let candidates: [String]
    if let index = indexAtHand(of: image) {
      let known = cache.evidence(of: image, index)
      let places = evidence.flatMap { known.places(of: $0.key) }
      guard !places.isEmpty else { return [] }
      let parser = JSONParser()
      candidates = Set(places).compactMap { place in
        LineKey.at(index[place].offset, of: image, parser)?.id
      }
    } else {
      candidates = cache.candidates(Self.sortedKeys(evidence), in: image)
    }
    let keys = Set(evidence.map(\.key))
    return candidates.compactMap { id in
      // The line that was found may not be the last of its record.
      let found = found(RecordKey(kind: .episode, id: id), RecordReader.episode)
      guard let episode = found?.value else { return nil }
      return episode.identity.contains { keys.contains($0.key) } ? episode.id : nil
    }
  }

  /// Searches for an episode and for identity keys in one pass over the bytes if there is no index,
  /// and caches both results.
  func search(for id: EpisodeID, _ evidence: [IdentityKey]) {
    guard let image, !evidence.isEmpty, indexAtHand(of: image) == nil else { return }
    cache.search(for: id.description, Self.sortedKeys(evidence), in: image)
  }

  /// Returns the keys in a canonical order, so that equal searches share a cache entry.
  private static func sortedKeys(_ evidence: [IdentityKey]) -> [String] {
    Set(evidence.map(\.key)).sorted()
  }
}
