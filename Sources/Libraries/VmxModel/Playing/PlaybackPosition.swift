/// The position from which playback of an episode resumes.
///
/// It is a separate record, so that it changes no `rev`; otherwise a plan would be outdated each
/// minute.
package struct PlaybackPosition: Sendable, Equatable {
  /// The milliseconds by which the player rewinds, so that the user regains the context.
  private static let rewind: Int64 = 5000

  /// The milliseconds from the start of the video.
  package private(set) var milliseconds: Int64
  /// The length of the video in milliseconds; nil if unknown.
  package private(set) var duration: Int64?
  /// The time at which playback reached the position.
  package private(set) var at: Timestamp

  /// Creates a position.
  package init(milliseconds: Int64, duration: Int64?, at: Timestamp) {
    self.milliseconds = milliseconds
    self.duration = duration
    self.at = at
  }

  /// The milliseconds from the start at which a player begins.
  package var start: Int64 { max(0, milliseconds - Self.rewind) }

  /// The position for display: `12:34 of 45:00`.
  package var text: String {
    let position = PlayingTime.text(of: milliseconds)
    return duration.map { "\(position) of \(PlayingTime.text(of: $0))" } ?? position
  }
}

/// A record of kind `position`; after an edit that breaks it, playback starts at the beginning.
extension PlaybackPosition: LenientRecord {
  /// The fields of the record.
  package enum Field: String, RecordField {
    case position = "position_ms"
    case duration = "duration_ms"
    case at = "position_at"
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: PlaybackPosition {
    PlaybackPosition(milliseconds: 0, duration: nil, at: Timestamp(seconds: 0))
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .position: try coder.required(&milliseconds, .duration)
    case .duration: try coder.field(&duration, .duration)
    case .at: try coder.required(&at)
    }
  }
}
