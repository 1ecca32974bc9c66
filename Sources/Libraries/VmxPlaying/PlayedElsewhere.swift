import VmxModel
import VmxStore
import VmxSystem

// Another program may have played an episode before vmx did or after. The time of the last playing
// decides, so what vmx knows is never replaced by what is older, and taking twice changes nothing.

/// The playing of an episode as another program tells it.
struct PlayedElsewhere: Sendable, Equatable {
  /// Whether it was watched; nil if that is not told.
  var isWatched: Bool?
  /// The time of the last playing, local and to the second: `2026-11-22 14:05:30`; nil if it is not
  /// told, or a text of another form.
  var lastPlayed: String?
  /// The position at which playing resumes, in milliseconds; nil for the start.
  var position: Int64?
}

extension PlaybackRecorder {
  /// How far the clock of the other program may be ahead, in milliseconds.
  private static let tolerance: Int64 = 86_400_000

  /// Takes what another program tells of an episode, where it is newer than what the store has.
  ///
  /// - Parameters:
  ///   - zone: the zone of `lastPlayed`.
  ///   - isDryRun: whether only to tell the effect.
  /// - Returns: the result, durable; `unchanged` where nothing is news.
  /// - Throws: errors of the store.
  func take(
    _ played: PlayedElsewhere, for episode: Episode, in zone: any LocalZone, isDryRun: Bool
  ) throws -> EpisodeResult {
    let unchanged = EpisodeResult(episode, .unchanged())
    guard let at = played.lastPlayed.flatMap(zone.moment(of:)),
      at <= clock.now.adding(milliseconds: Self.tolerance),
      try store.snapshot().lastPlayed(episode).map({ at.isSecondLater(than: $0) }) ?? true
    else { return unchanged }
    var result = unchanged
    func set(_ mark: PlaybackRecorder.Mark) throws {
      let next = try self.set(mark, on: [episode.id], isDryRun: isDryRun, at: at)[0]
      if next.result != .unchanged() { result = next }
    }
    if let isWatched = played.isWatched { try set(isWatched ? .watched : .unwatched) }
    if let position = played.position, result.result.failure == nil { try set(.position(position)) }
    return result
  }
}

extension StoreSnapshot {
  /// Returns the last time at which vmx knows of playing or marking an episode; nil for none.
  func lastPlayed(_ episode: Episode) -> Timestamp? {
    [episode.watchedAt, playbackPosition(of: episode.id)?.at].compactMap(\.self).max()
  }
}

extension Timestamp {
  /// Whether it is in a later second than another time: other programs keep whole seconds.
  func isSecondLater(than other: Timestamp) -> Bool {
    milliseconds / 1000 > other.milliseconds / 1000
  }
}
