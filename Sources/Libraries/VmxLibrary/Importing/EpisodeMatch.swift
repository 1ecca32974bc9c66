package import VmxModel
package import VmxStore

// Identity keys only find candidates; the table of evidence (`EvidenceTable`) decides which of them
// are the described episode. So no record is scanned for a description, and every tool joins by the
// same rows.

/// The episodes of a library that a description matches, by the table of evidence.
package struct EpisodeMatch {
  /// The episodes, by id; with more than one the description is ambiguous.
  package let episodes: [Episode]
  /// The episodes that it is probably one of, but that it does not join, the most similar first.
  package let likely: [Episode]
  /// Further records of the episode, which have no bytes and are not wanted, as a list of another
  /// program leaves them. They are joined with it.
  package let listed: [Episode]
  /// The row of the table that decided; nil if the description matches no episode.
  package let row: EvidenceRow?
  /// The keys that the episode may keep: not those that identify another episode. Those by
  /// which a likely episode is found stay, so that both are found again.
  package let keys: [IdentityKey]
  /// The description, with the slug of the show to which it belongs.
  package let description: EpisodeDescription

  /// Searches for the episodes.
  ///
  /// - Parameters:
  ///   - excluded: episodes that are known to be others; only ids, URLs and numbers match them.
  /// - Throws: `ambiguous` if a slug stands for several shows; errors of the store.
  package init(
    of description: EpisodeDescription, _ keys: [IdentityKey], in library: any EpisodeLookup,
    excluding excluded: Set<EpisodeID> = []
  ) throws {
    var resolved = try ShowOwners(library).resolve(description)
    var keys = keys.filter { !$0.isOfRecord }
    if resolved.ownSlug != description.ownSlug {
      keys = resolved.rekeyed(keys, from: description)
    }
    var found = try Judged.all(resolved, keys, in: library, excluding: excluded)
    // Records of earlier versions do not tell to which show a slug belongs.
    if let other = found.first(where: { $0.judgement.row == .otherShow }),
      !found.contains(where: { $0.judgement.verdict != .different }), !description.fills,
      let slug = try ShowOwners(library).freeSlug(after: other.episode.id.show)
    {
      let before = resolved
      resolved.ownSlug = slug
      keys = resolved.rekeyed(keys, from: before)
      found = try Judged.all(resolved, keys, in: library, excluding: excluded)
    }
    let (chosen, listed) = Self.choose(found, for: resolved, keys)
    let ids = Set((chosen + listed).map(\.episode.id))
    self.listed = listed.map(\.episode)
    episodes = chosen.map(\.episode)
    row = chosen.first?.judgement.row
    likely = found.filter { $0.judgement.verdict == .likely && !ids.contains($0.episode.id) }
      .sorted { $0.judgement.agreements > $1.judgement.agreements }.map(\.episode)
    self.description = resolved
    let foreign = found.filter { !ids.contains($0.episode.id) }
      .reduce(into: Set<IdentityKey>()) { keys, other in
        let isLikely = other.judgement.verdict == .likely
        keys.formUnion(other.episode.identity.filter { !isLikely || $0.isIdentifying })
      }
    let own = keys.filter { !foreign.contains($0) }
    // Without another key the episode would not be found again.
    self.keys = own.isEmpty ? keys : own
  }

  /// Returns the episodes that the description joins, by id, and those that it shows to be further
  /// records of the same episode.
  ///
  /// A file joins the only episode that has its bytes, although its name is also that of a request.
  private static func choose(
    _ found: [Judged], for description: EpisodeDescription, _ keys: [IdentityKey]
  ) -> (chosen: [Judged], listed: [Judged]) {
    let same = found.filter { $0.judgement.verdict == .same }
    guard same.isEmpty else {
      let listed = listed(of: same, isFeed: description.feed != nil)
      let ids = Set(listed.map(\.episode.id))
      let left = same.filter { !ids.contains($0.episode.id) }
      // An update of feeds runs unattended, so the order of evidence settles its ambiguities.
      guard description.feed == nil else { return ([best(of: left)].compactMap(\.self), listed) }
      let copies = left.filter { $0.episode.hasBytes(of: keys) }
      let isCopy =
        copies.count == 1
        && left.allSatisfy { $0.episode.isBare || $0.episode.id == copies[0].episode.id }
      return (isCopy ? copies : left, listed)
    }
    return (chooseLikely(found, for: description), [])
  }

  /// Returns the records that are joined with the only other one, or for a feed with the best one.
  /// If a feed shows that the library has the file of a URL, the request for it is fulfilled.
  private static func listed(of same: [Judged], isFeed: Bool) -> [Judged] {
    guard same.count > 1 else { return [] }
    let hasFile = isFeed && same.contains { $0.episode.readyVideo != nil }
    func isListed(_ episode: Episode) -> Bool {
      hasFile ? episode.isBare : episode.isOnlyListed
    }
    let full = same.filter { !isListed($0.episode) }
    guard isFeed || full.count < 2,
      let kept = best(of: full) ?? same.min(by: { $0.episode.added < $1.episode.added })
    else { return [] }
    return same.filter { other in
      guard other.episode.id != kept.episode.id, isListed(other.episode) else { return false }
      let judgement = EvidenceTable.judge(kept.episode.signs, other.episode.signs)
      return judgement.verdict != .different || judgement.row == nil
    }
  }

  private static func chooseLikely(
    _ found: [Judged], for description: EpisodeDescription
  ) -> [Judged] {
    let likely = found.filter { $0.judgement.verdict == .likely && $0.accepts(description) }
    guard likely.count > 1 else { return likely }
    let most = likely.map(\.judgement.agreements).max()
    let best = likely.filter { $0.judgement.agreements == most }
    return best.count == 1 ? best : []
  }

  private static func best(of found: [Judged]) -> Judged? {
    found.max { left, right in
      func rank(_ judged: Judged) -> (Int, Int, Int) {
        let judgement = judged.judgement
        return (
          judgement.isIdentity ? 1 : 0, judgement.agreements, -(judgement.row?.rawValue ?? 0)
        )
      }
      let (one, other) = (rank(left), rank(right))
      return one == other ? left.episode.id > right.episode.id : one < other
    }
  }
}

extension Episode {
  /// Whether its video is ready and has a digest of these keys.
  fileprivate func hasBytes(of keys: [IdentityKey]) -> Bool {
    readyVideo?.sha256.map { keys.contains(.digest($0.hex)) } ?? false
  }
}

/// A candidate with the judgement of the table.
private struct Judged {
  let episode: Episode
  let judgement: EvidenceJudgement

  /// Returns the candidates for a description, by id.
  static func all(
    _ description: EpisodeDescription, _ keys: [IdentityKey], in library: any EpisodeLookup,
    excluding excluded: Set<EpisodeID>
  ) throws -> [Judged] {
    let others = ShowOwners(library).namesakes(of: description).flatMap { slug in
      var other = description
      other.ownSlug = slug
      return other.identityKeys.filter(\.isOfShow)
    }
    var ids = Set(library.find(keys + description.lookups + others))
    if let id = description.id, keys.contains(.ownID(id)), let known = try library.episode(id) {
      ids.insert(known.id)
    }
    guard !ids.isEmpty else { return [] }
    let signs = description.signs(keys)
    return try ids.sorted().compactMap { id in
      guard let episode = try library.episode(id) else { return nil }
      var signs = signs
      // The feed's episodes stay in its show, whatever title the user gave the show.
      if description.feed != nil, description.feed == episode.feed { signs.showTitle = nil }
      var judgement = EvidenceTable.judge(signs, episode.signs)
      let isWeak = judgement.row.map { $0 > .address && $0 != .numberAndMore && $0 != .number }
      if excluded.contains(id), isWeak == true {
        judgement = EvidenceJudgement(verdict: .different, row: judgement.row, agreements: 0)
      }
      return Judged(episode: episode, judgement: judgement)
    }
  }

  /// Whether a description that is only likely this episode joins it. An item of a feed joins only
  /// an episode that is known from a catalogue. The name of a file joins an episode without a file.
  func accepts(_ description: EpisodeDescription) -> Bool {
    let video = episode.video
    guard description.feed == nil else {
      return video?.path == nil && (video?.urls.isEmpty ?? true)
    }
    switch judgement.row {
    case .number, .day: return true
    default: return description.fileName != nil && video?.path == nil
    }
  }
}
