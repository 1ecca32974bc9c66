/// The position from which an episode is played on.
///
/// It is a record of its own, so that it changes no rev: a plan would be outdated each minute.
package struct PlaybackPosition: Sendable, Equatable {
  /// The milliseconds that the player goes back, so that a person finds the thread again.
  private static let lead: Int64 = 5000

  /// Milliseconds from the start.
  package let milliseconds: Int64
  /// The length of the video in milliseconds; nil if unknown.
  package let duration: Int64?
  /// The time at which playback was there.
  package let at: Timestamp

  /// Creates a position.
  package init(milliseconds: Int64, duration: Int64?, at: Timestamp) {
    self.milliseconds = milliseconds
    self.duration = duration
    self.at = at
  }

  /// Decodes a record of kind `position`; nil for a malformed one, as a person edited it: then the
  /// episode is played from the start.
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
  package var start: Int64 { max(0, milliseconds - Self.lead) }

  /// The position for people: `12:34 of 45:00`.
  package var text: String {
    let position = PlayingTime.text(of: milliseconds)
    return duration.map { "\(position) of \(PlayingTime.text(of: $0))" } ?? position
  }
}
