package import VmxModel
package import VmxStore

// The records are read twice. The first reading collects the hashes of all identity keys, at eight
// bytes each, and keeps those that occur more than once. The second reading finds the
// episodes that have one of these; it is left out if there are none. Both read only the fields that
// give the keys. The episodes found are decoded, and the table of evidence judges them. A key that
// many different episodes share tells nothing, and would compare each of them with each other.

/// The episodes of a library that have several records, by the table of evidence.
package struct EpisodeTwins {
  /// A record to be joined with an older one of the same episode.
  package struct Pair: Sendable {
    /// The older record, whose id is kept.
    package let kept: Episode
    /// The other record.
    package let other: Episode
    /// The row of the table that decided.
    package let row: EvidenceRow
  }

  /// The maximum number of different episodes of a key by which twins are found.
  private static let maxSharing = 32

  /// The pairs, by the ids of the other records.
  package private(set) var pairs: [Pair] = []

  /// Searches a library.
  ///
  /// - Parameters:
  ///   - takesLikely: whether records are also joined that are only likely one episode. Of these,
  ///     one has a file at most, and is likely no other episode.
  ///   - shouldStop: called for each episode; if it returns true, the search ends with the pairs
  ///     found so far.
  /// - Throws: errors of the store.
  package init(
    in snapshot: StoreSnapshot, takesLikely: Bool = false, shouldStop: () -> Bool = { false }
  ) throws {
    let shared = Self.sharedKeys(in: snapshot, shouldStop)
    guard !shared.isEmpty else { return }
    var ids: [EpisodeID] = []
    snapshot.summaries(.evidence) { episode in
      if episode.isJoinable, episode.twinKeys.contains(where: { shared.contains($0) }) {
        ids.append(episode.id)
      }
      return !shouldStop()
    }
    var episodes = try ids.compactMap { id in
      try shouldStop() ? nil : snapshot.episode(id)
    }
    episodes.sort { ($0.added, $0.id) < ($1.added, $1.id) }
    var heads: [UInt64: [Int]] = [:]
    for (index, episode) in episodes.enumerated() {
      let keys = EpisodeSummary(episode).twinKeys.filter { shared.contains($0) }
      let few = keys.lazy.compactMap { heads[$0] }.filter { $0.count <= Self.maxSharing }
      let candidates = Set(few.joined()).sorted()
      let found = candidates.compactMap { head in
        Self.row(episodes[head], episode, orLikely: takesLikely).map { (episodes[head], $0) }
      }
      let same = found.filter { $0.1.verdict == .same }
      // An episode that is the same as two different ones is left to the user.
      if let (kept, row) = same.first ?? (found.count == 1 ? found.first : nil) {
        if same.count < 2 { pairs.append(Pair(kept: kept, other: episode, row: row)) }
      } else {
        for key in keys { heads[key, default: []].append(index) }
      }
    }
    let counts = Dictionary(pairs.map { ($0.kept.id, 1) }, uniquingKeysWith: +)
    pairs.removeAll { $0.row.verdict == .likely && counts[$0.kept.id] != 1 }
    pairs.sort { $0.other.id < $1.other.id }
  }

  /// Returns the row by which two records are one episode; nil if they are not.
  ///
  /// - Parameter orLikely: whether a likely one counts, unless both records have a file.
  package static func row(
    _ one: Episode, _ other: Episode, orLikely: Bool = false
  ) -> EvidenceRow? {
    var (left, right) = (one.signs, other.signs)
    // Two items of one feed are two episodes, whatever number, day or title they share.
    if let feed = one.feed, feed == other.feed {
      left.siblings = right.keys.filter { $0.kind == .item || $0.kind == .address }
    }
    let judgement = EvidenceTable.judge(left, right)
    let isLikely =
      judgement.verdict == .likely && (one.readyVideo == nil || other.readyVideo == nil)
    return judgement.verdict == .same || orLikely && isLikely ? judgement.row : nil
  }

  private static func sharedKeys(
    in snapshot: StoreSnapshot, _ shouldStop: () -> Bool
  ) -> Set<UInt64> {
    var hashes: ContiguousArray<UInt64> = []
    snapshot.summaries(.evidence) { episode in
      if episode.isJoinable { hashes.append(contentsOf: episode.twinKeys) }
      return !shouldStop()
    }
    hashes.sort()
    var shared: Set<UInt64> = []
    for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next { shared.insert(hash) }
    return shared
  }
}

extension EpisodeSummary {
  /// The hashes of the keys by which another record of the episode is found, each once.
  fileprivate var twinKeys: Set<UInt64> {
    Set(evidenceKeys.lazy.filter { !$0.isOfRecord }.map(\.searchHash))
  }
}
