package import VmxModel

/// Merges the actions of other devices into the watched state of an episode: the newest action
/// wins.
///
///     var merge = WatchedMerge(isWatched: false, position: nil, newest: nil)
///     merge.take(actions, by: rule, now: now)
package struct WatchedMerge: Sendable, Equatable {
  /// The milliseconds that the clock of a device may be ahead. Later times are replaced by the
  /// current time.
  private static let tolerance: Int64 = 3_600_000

  /// Whether the episode is watched.
  package private(set) var isWatched: Bool
  /// The time of the action that last set or cleared the watched mark; nil if none did.
  package private(set) var markedAt: Timestamp?
  /// The resume position; nil for the start.
  package private(set) var position: PlaybackPosition?
  /// The time of the newest applied action; nil if there is none.
  package private(set) var newest: Timestamp?

  /// Creates the merge for an episode.
  ///
  /// - Parameter newest: the time of the newest local or merged action; nil if unknown.
  package init(isWatched: Bool, position: PlaybackPosition?, newest: Timestamp?) {
    self.isWatched = isWatched
    self.position = position
    self.newest = newest
  }

  /// Applies actions of the episode, in any order. An action that is not in a later second than the
  /// newest of before has no effect, so repeated actions are harmless.
  ///
  /// A play that stops before the end never clears the watched mark of an earlier play. Only `new`
  /// clears it. Downloads and deletions concern the disk of the other device and are ignored.
  package mutating func take(_ actions: [SyncAction], by rule: WatchedRule, now: Timestamp) {
    let latest = now.adding(milliseconds: Self.tolerance)
    let timed = actions.enumerated().map { index, action in
      (at: action.at > latest ? now : action.at, index: index, action: action)
    }
    let before = newest
    for item in timed.sorted(by: { ($0.at, $0.index) < ($1.at, $1.index) }) {
      guard before.map(item.at.isSecondLater) ?? true else { continue }
      switch item.action.kind {
      case .download, .delete: continue
      case .new: mark(false, at: item.at)
      case .play:
        guard let playback = item.action.playback else { continue }
        switch rule.verdict(on: playback) {
        case .unknown: continue
        case .watched: mark(true, at: item.at)
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

  private mutating func mark(_ isWatched: Bool, at moment: Timestamp) {
    if self.isWatched != isWatched { markedAt = moment }
    (self.isWatched, position) = (isWatched, nil)
  }
}
