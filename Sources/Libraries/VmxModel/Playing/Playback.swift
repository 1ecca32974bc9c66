/// One playback of an episode, as far as the player told of it.
package struct Playback: Sendable, Equatable {
  /// The last position in milliseconds; nil if the player told none.
  package var position: Int64?
  /// The length of the video in milliseconds; nil if unknown.
  package var duration: Int64?
  /// The milliseconds that a person has seen: those played, and those before the start.
  package var seen: Int64
  /// Whether the player came to the end of the file.
  package var isFinished = false
  /// The message of a player that could not play the file.
  package var problem: String?

  /// Creates a playback from a position.
  package init(from start: Int64 = 0) {
    seen = start
  }
}

/// Decides what a playback means for an episode.
///
/// The numbers are those of Kodi and Jellyfin but for the share, which is a setting.
package struct WatchedRule: Sendable {
  /// The record that a playback leaves.
  package enum Verdict: Sendable, Equatable {
    /// The episode was watched; it has no position any longer.
    case watched
    /// It is played on from here.
    case position(Int64)
    /// Too little was seen for a position: it starts at the beginning.
    case fromStart
    /// The player told nothing.
    case unknown
  }

  /// The milliseconds that have to be seen of a longer video, so that a look at its end does not
  /// count.
  private static let leastSeen: Int64 = 180_000
  /// The first position in milliseconds that is worth keeping.
  private static let leastPosition: Int64 = 30_000
  /// The same in hundredths of the length; both have to be reached.
  private static let leastShare: Int64 = 5

  private let percent: Int64

  /// Creates a rule.
  ///
  /// - Parameter percent: the share of the length, in hundredths from 1 to 100, from which on an
  ///   episode counts as watched.
  package init(percent: Int64) {
    self.percent = percent
  }

  /// Returns what a playback means.
  package func verdict(on playback: Playback) -> Verdict {
    guard let length = playback.duration, length > 0 else {
      guard let position = playback.position else { return .unknown }
      if playback.isFinished { return .watched }
      return position < Self.leastPosition ? .fromStart : .position(position)
    }
    guard let position = playback.isFinished ? length : playback.position else { return .unknown }
    let isSeen = playback.seen >= Self.leastSeen || length <= Self.leastSeen
    if position >= length / 100 * percent + length % 100 * percent / 100 {
      // A look at the end is neither watching nor a place to go on from.
      return isSeen ? .watched : .fromStart
    }
    let least = max(Self.leastPosition, length / 100 * Self.leastShare)
    return position < least ? .fromStart : .position(position)
  }
}
