package import VmxModel
import VmxSystem

extension LibraryStore {
  /// Claims an episode by its current id, and reads it under the claim.
  ///
  /// Another process may have renamed it since its id was read; a claim on the former id does not
  /// protect it.
  ///
  /// - Parameter patience: the maximum wait in milliseconds for another worker that has claimed it.
  /// - Throws: `lock-busy` if another worker has it for longer; `no-such-episode`; errors of the
  ///   store.
  package func claimEpisode(
    _ id: EpisodeID, patience: Int64 = 0
  ) throws -> (claim: Claim, episode: Episode) {
    var id = id
    let end = Deadline(milliseconds: patience)
    while true {
      if let claim = try claims.claim(id) {
        guard let episode = try snapshot().episode(id) else { throw Failure.noSuchEpisode(id) }
        if episode.id == id { return (claim, episode) }
        claim.release()
        id = episode.id
      } else {
        guard !end.isPast else { throw Failure.inUse(id) }
        Deadline(milliseconds: 50).sleep(nanoseconds: .max)
      }
    }
  }
}
