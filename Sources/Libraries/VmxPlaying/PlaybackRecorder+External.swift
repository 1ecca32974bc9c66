import VmxModel
import VmxStore

extension PlaybackRecorder {
  /// Imports the state from another program if it is newer than that in the store.
  ///
  /// - Returns: the result, durable; `unchanged` if nothing is newer.
  /// - Throws: store errors.
  func importState(
    _ played: ExternalPlayback, for episode: Episode
  ) throws -> EpisodeResult {
    let unchanged = EpisodeResult(episode, .unchanged())
    let own = try store.snapshot().lastPlayed(episode)
    guard let at = played.playedTime(newerThan: own, now: clock.now) else { return unchanged }
    var result = unchanged
    func set(_ mark: PlaybackRecorder.Mark) throws {
      let next = try self.set(mark, on: [episode.id], at: at)[0]
      if next.result != .unchanged() { result = next }
    }
    if let isWatched = played.isWatched { try set(isWatched ? .watched : .unwatched) }
    if let position = played.position, result.result.failure == nil { try set(.position(position)) }
    return result
  }
}
