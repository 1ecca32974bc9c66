package import VmxModel

/// Merges the actions of other devices into the watched state of an episode: the newest action
/// wins.
///
///     var merge = WatchedMerge(isWatched: false, position: nil, newest: nil)
///     merge.apply(history)
package struct WatchedMerge: Sendable, Equatable {
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

  /// Applies the actions of the episode. Ignores actions whose time, in whole seconds, is not after
  /// the newest one already merged, so repeated actions are harmless.
  ///
  /// A play that stops before the end never clears the watched mark of an earlier play. Only `new`
  /// clears it.
  package mutating func apply(_ history: WatchedHistory) { apply(history.steps) }

  /// Applies steps, like `apply`.
  ///
  /// - Parameter steps: the oldest first.
  mutating func apply(_ steps: [WatchedHistory.Step]) {
    let before = newest
    for step in steps where before.map(step.at.isSecondLater) ?? true {
      switch step.effect {
      case .mark(let value):
        if isWatched != value { markedAt = step.at }
        (isWatched, position) = (value, nil)
      case .start: position = nil
      case .position(let milliseconds, let duration):
        position = PlaybackPosition(
          milliseconds: milliseconds, duration: duration ?? position?.duration, at: step.at)
      }
      newest = step.at
    }
  }
}
