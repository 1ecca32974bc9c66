package import VmxModel

// When an episode enters its library, Kodi reads `playcount`, `lastplayed` in local time and
// `resume` in seconds. Jellyfin reads the first two for the user of its NFO settings. vmx does not
// count plays.

/// The playback state of an episode in an NFO file.
package struct NFOPlayed: Sendable, Equatable {
  private let isWatched: Bool
  private let last: Timestamp?
  private let position: PlaybackPosition?
  private let zone: any LocalZone

  /// Creates the playback state from the records in the store.
  ///
  /// - Parameters:
  ///   - position: the resume position; nil for the start.
  ///   - zone: the time zone of `lastplayed`.
  package init(of episode: Episode, _ position: PlaybackPosition?, in zone: any LocalZone) {
    isWatched = episode.isWatched
    last = [episode.isWatched ? episode.watchedAt : nil, position?.at].compactMap { $0 }.max()
    self.position = position
    self.zone = zone
  }

  package static func == (left: NFOPlayed, right: NFOPlayed) -> Bool {
    (left.isWatched, left.last, left.position) == (right.isWatched, right.last, right.position)
  }

  /// Writes the elements; none for an episode that was never played.
  func write(to writer: borrowing MarkupWriter) throws(Failure) {
    if isWatched { try writer.element("playcount", "1") }
    try writer.element("lastplayed", last.map { zone.text(of: $0) })
    guard let position else { return }
    try writer.begin("resume")
    try writer.element("position", PlayingTime.seconds(of: position.milliseconds))
    try writer.element("total", position.duration.map(PlayingTime.seconds))
    try writer.end()
  }
}

extension NFODocument {
  /// Returns the playback state that the document records.
  ///
  /// - Parameter zone: the time zone of `lastplayed`.
  package func played(in zone: any LocalZone) -> ExternalPlayback {
    ExternalPlayback(
      isWatched: isWatched, lastPlayed: lastPlayed.flatMap(zone.timestamp(of:)), position: position)
  }
}
