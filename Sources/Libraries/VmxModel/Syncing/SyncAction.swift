/// An event of an episode on one of the user's devices, as recorded by servers for subscriptions.
package struct SyncAction: Sendable, Equatable {
  /// The supported kinds; the raw value is sent.
  package enum Kind: String, Sendable, CaseIterable {
    /// The device has fetched its files.
    case download
    /// The device has played it up to a position.
    case play
    /// The device has deleted its files.
    case delete
    /// Earlier actions are revoked: the episode is not watched.
    case new
  }

  /// The kind.
  package var kind: Kind
  /// The URL of the feed.
  package var podcast: String
  /// The URL of the video.
  package var episode: String
  /// The id of the item in the feed; nil if unknown.
  package var guid: String?
  /// The time of the action.
  package var at: Timestamp
  /// The position in milliseconds where a play began; nil if unknown.
  package var started: Int64?
  /// The position in milliseconds where a play ended; nil if unknown.
  package var position: Int64?
  /// The length of the video in milliseconds; nil if unknown.
  package var total: Int64?

  /// Creates an action without a position.
  package init(
    _ kind: Kind, podcast: String, episode: String, guid: String? = nil, at: Timestamp
  ) {
    self.kind = kind
    self.podcast = podcast
    self.episode = episode
    self.guid = guid
    self.at = at
  }

  /// The playback that a `play` action reports, for `WatchedRule`; nil if it has no position.
  /// Everything before its end counts as seen, because the other device has played it.
  package var playback: Playback? {
    guard kind == .play, let position else { return nil }
    var playback = Playback(from: position)
    playback.position = position
    playback.duration = total
    return playback
  }
}
