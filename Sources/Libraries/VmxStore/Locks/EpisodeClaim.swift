package import VmxModel

extension LibraryStore {
  /// Claims an episode by the id that it has now, without waiting, and reads it under the claim.
  ///
  /// Another process may have renamed it since its id was read; a claim on the former id does not
  /// protect it.
  ///
  /// - Throws: `lock-busy` while another worker has claimed it; `no-such-episode`; errors of the
  ///   store.
  package func claimEpisode(_ id: EpisodeID) throws -> (claim: Claim, episode: Episode) {
    var id = id
    while let claim = try claims.claim(id) {
      guard let episode = try snapshot().episode(id) else { throw Failure.noSuchEpisode(id) }
      if episode.id == id { return (claim, episode) }
      claim.release()
      id = episode.id
    }
    throw Failure(.lockBusy, "'\(id)' is being worked on")
  }
}
