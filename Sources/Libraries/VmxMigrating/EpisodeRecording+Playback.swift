import VmxModel
import VmxStore

// The later playback wins, as in `ExternalPlayback`. A state without a time is used only if the
// library's episode was never played or marked.

extension LegacyEpisode {
  /// Whether the other program has a watched mark or a position.
  var hasMarks: Bool { played != ExternalPlayback() || description.isWatched != nil }

  /// Returns the time at which the state of the other program is recorded: that of its last
  /// playback, or `now` if it has none. Returns nil if the state in the store is kept.
  func playedAt(
    _ known: Episode?, in transaction: borrowing StoreTransaction, now: Timestamp
  ) -> Timestamp? {
    let own = known.flatMap { known in
      [known.watchedAt, transaction.playbackPosition(of: known.id)?.at].compactMap(\.self).max()
    }
    return played.playedTime(newerThan: own, now: now) ?? (own == nil ? now : nil)
  }

  /// Keeps a newer watched mark of the library, else sets the time of the other program's mark. A
  /// mark without a time stays without one.
  func mark(_ episode: inout Episode, before: Episode?, _ playedAt: Timestamp?) {
    guard playedAt != nil else {
      episode.isWatched = before?.isWatched ?? episode.isWatched
      return
    }
    episode.isWatched = description.isWatched ?? episode.isWatched
    guard episode.isWatched, before?.isWatched != true, played.lastPlayed == playedAt
    else { return }
    episode.watchedAt = playedAt
  }

  /// Records the playback position of the other program; a new watched mark without one clears it.
  ///
  /// - Returns: whether the position has changed.
  func recordPosition(
    of episode: Episode, before: Episode?, _ playedAt: Timestamp?,
    in transaction: inout StoreTransaction
  ) -> Bool {
    guard let playedAt, episode.want != .gone else { return false }
    let old = transaction.playbackPosition(of: episode.id)
    let key = episode.id.description
    guard let position = played.position else {
      guard old != nil, episode.isWatched, before?.isWatched != true else { return false }
      transaction.delete(.position, key)
      return true
    }
    guard position != old?.milliseconds else { return false }
    let new = PlaybackPosition(
      milliseconds: position, duration: episode.duration, at: playedAt)
    transaction.write(StoredRecord(kind: .position, id: key, fields: new.record))
    return true
  }
}
