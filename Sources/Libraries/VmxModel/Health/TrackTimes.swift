/// A track of pictures or of sound in a media file.
package struct MediaTrack: Sendable, Hashable {
  /// What a track holds.
  package enum Kind: String, Sendable {
    case video, audio
  }

  /// What it holds.
  package let kind: Kind
  /// How many milliseconds it plays; nil where the file does not say.
  package let duration: Int64?

  /// A track.
  package init(_ kind: Kind, _ duration: Int64?) {
    self.kind = kind
    self.duration = duration
  }
}

/// How long the tracks of a file play, and how long its publisher says that it does.
package struct TrackTimes: Sendable, Hashable {
  /// A track differs only by more than this, in milliseconds: what is cut at a frame or begins with
  /// silence is not shorter than it was declared.
  package static let leastDifference: Int64 = 2000
  /// And only by more than one part in so many of what was declared: publishers round to minutes,
  /// which is half a minute of the ten that a short episode has.
  package static let tolerance: Int64 = 20

  /// The tracks of pictures and sound, in their order.
  package let tracks: [MediaTrack]
  /// Milliseconds, as its publisher says; nil where nobody did.
  package let declared: Int64?

  /// What was found and what was declared.
  package init(_ tracks: [MediaTrack], declared: Int64?) {
    self.tracks = tracks
    self.declared = declared
  }

  /// The tracks that play shorter or longer than declared; one of unknown length does neither.
  package var differing: [MediaTrack] {
    guard let declared else { return [] }
    let allowed = max(Self.leastDifference, declared / Self.tolerance)
    return tracks.filter { track in
      guard let duration = track.duration else { return false }
      return (max(duration, declared) - min(duration, declared)) > allowed
    }
  }

  /// `video 1:02:03, audio 1:02:03`, with `?` for a length that is not known.
  package var words: String {
    tracks.map { "\($0.kind.rawValue) \($0.duration.map(PlayingTime.text) ?? "?")" }
      .joined(separator: ", ")
  }
}
