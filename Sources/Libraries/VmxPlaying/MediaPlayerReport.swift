import VmxModel

// MPRIS provides status, position and length in microseconds, and the URL of the media. Players do
// not signal the position: playerctl extrapolates it once a second during playback. When the last
// player exits, playerctl writes an empty line.

/// The state of a media player, parsed from a line of `playerctl --follow`.
struct MediaPlayerReport: Equatable {
  /// The output template for playerctl.
  static let format = [
    "{{playerInstance}}", "{{status}}", "{{position}}", "{{mpris:length}}", "{{xesam:url}}",
  ].joined(separator: "\t")

  /// The bus name of the player, without the prefix that all players share.
  let player: String
  /// Whether the player is playing.
  let isPlaying: Bool
  /// The absolute path of the file; nil if no local file is played.
  let file: String?
  /// The position in milliseconds; nil if unknown.
  let position: Int64?
  /// The length in milliseconds; nil if unknown.
  let duration: Int64?

  /// Parses a line. Returns nil for any other text.
  init?(_ line: [UInt8]) {
    guard let text = String(validating: line, as: UTF8.self) else { return nil }
    let fields = text.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5, !fields[0].isEmpty,
      ["Playing", "Paused", "Stopped"].contains(fields[1])
    else { return nil }
    player = String(fields[0])
    isPlaying = fields[1] == "Playing"
    file = fields[1] == "Stopped" ? nil : Self.path(fields[4])
    position = Int64(fields[2]).flatMap { $0 >= 0 ? $0 / 1000 : nil }
    duration = Int64(fields[3]).flatMap { $0 >= 1000 ? $0 / 1000 : nil }
  }

  /// Returns the path of a `file:` URL of this machine (RFC 8089), or an absolute path unchanged.
  private static func path(_ url: Substring) -> String? {
    if url.hasPrefix("/") { return String(url) }
    for front in ["file://localhost", "file://", "file:"] where url.hasPrefix(front) {
      let path = url.dropFirst(front.count)
      return path.hasPrefix("/") ? PercentCoding.decoded(String(path)) : nil
    }
    return nil
  }
}
