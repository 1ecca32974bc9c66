import VmxModel
import VmxStore
import VmxSystem

// Another program may have played an episode before or after vmx. The later playback wins, so older
// data never replaces newer data, and a repeated import has no effect.

/// The playback state of an episode according to another program.
struct ExternalPlayback: Sendable, Equatable {
  /// Whether it was watched; nil if unknown.
  var isWatched: Bool?
  /// The time of the last playback, local and in whole seconds: `2026-11-22 14:05:30`. Nil if
  /// unknown; a text of another form is ignored.
  var lastPlayed: String?
  /// The resume position in milliseconds; nil for the start.
  var position: Int64?
}

extension PlaybackRecorder {
  /// The maximum milliseconds by which the other program's clock may be ahead.
  private static let tolerance: Int64 = 86_400_000

  /// Imports the state from another program if it is newer than that in the store.
  ///
  /// - Parameters:
  ///   - zone: the time zone of `lastPlayed`.
  ///   - isDryRun: whether to report the effect without changing anything.
  /// - Returns: the result, durable; `unchanged` if nothing is newer.
  /// - Throws: store errors.
  func take(
    _ played: ExternalPlayback, for episode: Episode, in zone: any LocalZone, isDryRun: Bool
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
  /// Returns the time at which an episode was last played or marked in vmx; nil if never.
  func lastPlayed(_ episode: Episode) -> Timestamp? {
    [episode.watchedAt, playbackPosition(of: episode.id)?.at].compactMap(\.self).max()
  }
}
