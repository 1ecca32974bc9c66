/// One playback of an episode, as reported by the player.
package struct Playback: Sendable, Equatable {
  /// The last position in milliseconds; nil if the player reported none.
  package var position: Int64?
  /// The length of the video in milliseconds; nil if unknown.
  package var duration: Int64?
  /// The milliseconds that the user has seen: those played, and those before the start.
  package var seen: Int64
  /// Whether the player reached the end of the file.
  package var isFinished = false
  /// The message of a player that could not play the file.
  package var problem: String?

  /// Creates a playback from a position.
  package init(from start: Int64 = 0) {
    seen = start
  }
}

/// Decides whether a playback marks an episode as watched or leaves a position.
///
/// The limits are those of Kodi and Jellyfin, except for the share, which is a setting.
package struct WatchedRule: Sendable {
  /// The record that results from a playback.
  package enum Verdict: Sendable, Equatable {
    /// The episode was watched; its position is removed.
    case watched
    /// The next playback resumes at this position in milliseconds.
    case position(Int64)
    /// Too little was seen for a position; the next playback starts at the beginning.
    case fromStart
    /// The player reported nothing.
    case unknown
  }

  /// The milliseconds of a longer video that must be seen, so that a brief look at its end does not
  /// count.
  private static let minWatched: Int64 = 180_000
  /// The first recorded position in milliseconds.
  private static let minPosition: Int64 = 30_000
  /// The first recorded position in percent of the length; both limits must be reached.
  private static let minPercent: Int64 = 5

  private let percent: Int64

  /// Creates a rule.
  ///
  /// - Parameter percent: the share of the length in percent, from 1 to 100, at which an episode
  ///   counts as watched.
  package init(percent: Int64) {
    self.percent = percent
  }

  /// Returns the verdict on a playback.
  package func verdict(on playback: Playback) -> Verdict {
    guard let length = playback.duration, length > 0 else {
      guard let position = playback.position else { return .unknown }
      if playback.isFinished { return .watched }
      return position < Self.minPosition ? .fromStart : .position(position)
    }
    guard let position = playback.isFinished ? length : playback.position else { return .unknown }
    let isSeen = playback.seen >= Self.minWatched || length <= Self.minWatched
    if position >= length / 100 * percent + length % 100 * percent / 100 {
      // A brief look at the end neither counts as watched nor leaves a position.
      return isSeen ? .watched : .fromStart
    }
    let least = max(Self.minPosition, length / 100 * Self.minPercent)
    return position < least ? .fromStart : .position(position)
  }
}
