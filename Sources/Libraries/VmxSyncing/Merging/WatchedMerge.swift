package import VmxModel

/// Merges the actions of other devices into what the library knows of an episode: the newest own time
/// wins.
///
///     var merge = WatchedMerge(isWatched: false, position: nil, newest: nil)
///     merge.take(actions, by: rule, now: now)
package struct WatchedMerge: Sendable, Equatable {
  /// The milliseconds that the clock of a device may be ahead; a later time counts as now.
  private static let tolerance: Int64 = 3_600_000

  /// Whether it was watched.
  package private(set) var isWatched: Bool
  /// The position from which it is played on; nil for the start.
  package private(set) var position: PlaybackPosition?
  /// The time of the newest action that has counted; nil if none has.
  package private(set) var newest: Timestamp?

  /// Creates the merge for an episode.
  ///
  /// - Parameter newest: the time of the newest thing that is known of it here; nil if unknown.
  package init(isWatched: Bool, position: PlaybackPosition?, newest: Timestamp?) {
    self.isWatched = isWatched
    self.position = position
    self.newest = newest
  }

  /// Takes over actions of the episode, in any order; one that is not newer than what is known has no
  /// effect, so that the same actions may come again.
  ///
  /// A play that ends before the end never takes the mark of an earlier one back: a film that is
  /// watched again was watched. Only `new` does. Downloads and deletions are of another device's disk.
  package mutating func take(_ actions: [SyncAction], by rule: WatchedRule, now: Timestamp) {
    let latest = now.adding(milliseconds: Self.tolerance)
    let timed = actions.enumerated().map { index, action in
      (at: action.at > latest ? now : action.at, index: index, action: action)
    }
    for item in timed.sorted(by: { ($0.at, $0.index) < ($1.at, $1.index) }) {
      guard newest.map({ item.at > $0 }) ?? true else { continue }
      switch item.action.kind {
      case .download, .delete: continue
      case .new: (isWatched, position) = (false, nil)
      case .play:
        guard let playback = item.action.playback else { continue }
        switch rule.verdict(on: playback) {
        case .unknown: continue
        case .watched: (isWatched, position) = (true, nil)
        case .fromStart: position = nil
        case .position(let milliseconds):
          position = PlaybackPosition(
            milliseconds: milliseconds, duration: playback.duration ?? position?.duration,
            at: item.at)
        }
      }
      newest = item.at
    }
  }
}
