import VmxModel

/// A video or audio track of a media file.
package struct MediaTrack: Sendable, Hashable {
  /// The kind of a track.
  package enum Kind: String, Sendable {
    case video, audio
  }

  /// The kind of the track.
  package let kind: Kind
  /// The duration in milliseconds; nil if the file does not contain it.
  package let duration: Int64?

  /// Creates a track.
  package init(_ kind: Kind, _ duration: Int64?) {
    self.kind = kind
    self.duration = duration
  }
}

/// The durations of a file's tracks, and the duration that its publisher declares.
package struct TrackTimes: Sendable, Hashable {
  /// The smallest significant difference in milliseconds. Smaller ones come from cuts at frame
  /// boundaries or initial silence.
  package static let minDifference: Int64 = 2000
  /// The divisor of the declared duration that gives the relative tolerance. Publishers round to
  /// minutes, which is half a minute of a ten-minute episode.
  package static let tolerance: Int64 = 20

  /// The video and audio tracks, in their order in the file.
  package let tracks: [MediaTrack]
  /// The duration in milliseconds that the publisher declares; nil if none was declared.
  package let declared: Int64?

  /// Creates the comparison of found and declared durations.
  package init(_ tracks: [MediaTrack], declared: Int64?) {
    self.tracks = tracks
    self.declared = declared
  }

  /// The tracks that play shorter or longer than declared; tracks of unknown duration never differ.
  package var differing: [MediaTrack] {
    guard let declared else { return [] }
    let allowed = max(Self.minDifference, declared / Self.tolerance)
    return tracks.filter { track in
      guard let duration = track.duration else { return false }
      return (max(duration, declared) - min(duration, declared)) > allowed
    }
  }

  /// The durations as text, `video 1:02:03, audio 1:02:03`, with `?` for an unknown duration.
  package var text: String {
    tracks.map { "\($0.kind.rawValue) \($0.duration.map(PlayingTime.text) ?? "?")" }
      .joined(separator: ", ")
  }
}
