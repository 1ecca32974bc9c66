/// The position from which playback of an episode resumes.
///
/// It is a separate record, so that it changes no `rev`; otherwise a plan would be outdated each
/// minute.
package struct PlaybackPosition: Sendable, Equatable {
  /// The milliseconds by which the player rewinds, so that the user regains the context.
  private static let rewind: Int64 = 5000

  /// The milliseconds from the start of the video.
  package let milliseconds: Int64
  /// The length of the video in milliseconds; nil if unknown.
  package let duration: Int64?
  /// The time at which playback reached the position.
  package let at: Timestamp

  /// Creates a position.
  package init(milliseconds: Int64, duration: Int64?, at: Timestamp) {
    self.milliseconds = milliseconds
    self.duration = duration
    self.at = at
  }

  /// Decodes a record of kind `position`. Nil for a malformed one, as after an edit by the user;
  /// then playback starts at the beginning.
  package init?(_ fields: JSONObject) {
    guard let milliseconds = fields["position_ms"]?.integer, milliseconds > 0,
      let at = fields["position_at"]?.string.flatMap({ Timestamp($0) })
    else { return nil }
    let duration = fields["duration_ms"]?.integer
    self.init(milliseconds: milliseconds, duration: duration.flatMap { $0 > 0 ? $0 : nil }, at: at)
  }

  /// The fields of its record.
  package var fields: JSONObject {
    var object = JSONObject()
    object.append("position_ms", .integer(milliseconds))
    object.append("duration_ms", duration.map { .integer($0) })
    object.append("position_at", at.text)
    return object
  }

  /// The milliseconds from the start at which a player begins.
  package var start: Int64 { max(0, milliseconds - Self.rewind) }

  /// The position for display: `12:34 of 45:00`.
  package var text: String {
    let position = PlayingTime.text(of: milliseconds)
    return duration.map { "\(position) of \(PlayingTime.text(of: $0))" } ?? position
  }
}
