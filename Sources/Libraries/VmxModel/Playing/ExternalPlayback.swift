// Another program may have played an episode before or after vmx. The later playback wins, so older
// data never replaces newer data, and a repeated import has no effect.

/// The playback state of an episode according to another program.
package struct ExternalPlayback: Sendable, Equatable {
  /// The maximum milliseconds by which the other program's clock may be ahead.
  private static let tolerance: Int64 = 86_400_000

  /// Whether it was watched; nil if unknown.
  package var isWatched: Bool?
  /// The time of the last playback; nil if unknown.
  package var lastPlayed: Timestamp?
  /// The resume position in milliseconds; nil for the start.
  package var position: Int64?

  /// Creates a state; without arguments, an unknown one.
  package init(isWatched: Bool? = nil, lastPlayed: Timestamp? = nil, position: Int64? = nil) {
    self.isWatched = isWatched
    self.lastPlayed = lastPlayed
    self.position = position
  }

  /// Returns the time of the last playback if that is newer than the state in the store; nil if it
  /// is not, is unknown or is in the future.
  ///
  /// - Parameter own: the time at which vmx last played or marked the episode; nil for never.
  package func playedTime(newerThan own: Timestamp?, now: Timestamp) -> Timestamp? {
    guard let lastPlayed, lastPlayed <= now.adding(milliseconds: Self.tolerance),
      own.map({ lastPlayed.isSecondLater(than: $0) }) ?? true
    else { return nil }
    return lastPlayed
  }
}
