package import VmxModel
package import VmxStore

// The bytes of a file say more than its name. If the library has one episode with these bytes, the
// file is a copy of its video, and its name only fills what the record lacks. This rule is the same
// for `vmx add FILE`, `vmx migrate` and `vmx import` of a folder.

extension EpisodeDescription {
  /// Returns the description of a file, made of its name alone, for the episode that has its bytes.
  ///
  /// The show and what contradicts the episode are left out, and if other episodes have the values
  /// of the name, these too.
  ///
  /// - Parameter digest: the key of the bytes.
  /// - Throws: errors of the store.
  package func asCopy(
    of known: Episode, _ digest: IdentityKey, in library: any EpisodeLookup
  ) throws -> EpisodeDescription {
    var copy = self
    (copy.id, copy.show, copy.showTitle, copy.ownSlug) = (known.id, nil, nil, nil)
    if let number = text.number, let other = known.number,
      number != other || (text.season ?? 1) != (known.season ?? 1)
    {
      (copy.season, copy.number) = (nil, nil)
    }
    if let date = text.date, let other = known.date, date != other { copy.date = nil }
    let match = try EpisodeMatch(of: copy, copy.identityKeys + [digest], in: library)
    if match.episodes.map(\.id) == [known.id], match.listed.isEmpty { return copy }
    (copy.title, copy.season, copy.number, copy.date) = (nil, nil, nil, nil)
    copy.fileName = nil
    return copy
  }
}

extension EpisodeImporter.Imported {
  /// Whether only evidence was added to a known episode, such as the name of another copy.
  package var isOnlyEvidence: Bool {
    guard verdict == .updated, var before else { return false }
    (before.identity, before.rev) = (episode.identity, episode.rev)
    return before == episode
  }
}
