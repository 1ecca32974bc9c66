import VmxJSON
package import VmxModel

extension StoreSnapshot {
  /// The ids of the episodes that hold any of the evidence, in no particular order.
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
      // The line that was found need not be the last of its record.
      let found = found(RecordKey(kind: .episode, id: id), RecordReader.episode)
      guard let episode = found?.value else { return nil }
      return episode.identity.contains { keys.contains($0.key) } ? episode.id : nil
    }
  }

  /// Looks for an episode and for evidence in one pass over the bytes, where there is no index, so
  /// that the answers to both are at hand.
  func search(for id: EpisodeID, _ evidence: [IdentityKey]) {
    guard let image, !evidence.isEmpty, indexAtHand(of: image) == nil else { return }
    cache.search(for: id.description, Self.sortedKeys(evidence), in: image)
  }

  /// The form in which searches for the same evidence are the same.
  private static func sortedKeys(_ evidence: [IdentityKey]) -> [String] {
    Set(evidence.map(\.key)).sorted()
  }
}
