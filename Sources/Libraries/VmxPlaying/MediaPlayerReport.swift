import VmxModel

// MPRIS: status, position and length in microseconds, and the URL of what is played. The position is no
// property that is signalled: playerctl reckons it once a second while a player plays. At the end of
// the last player it writes an empty line.

/// The state of a media player, as a line of `playerctl --follow` tells it.
struct MediaPlayerReport: Equatable {
  /// The template for playerctl, which gives lines that can be parsed.
  static let format = [
    "{{playerInstance}}", "{{status}}", "{{position}}", "{{mpris:length}}", "{{xesam:url}}",
  ].joined(separator: "\t")

  /// The player's name on the bus, without the part that all players share.
  let player: String
  /// Whether it plays now.
  let isPlaying: Bool
  /// The absolute path of the file; nil if it plays none.
  let file: String?
  /// The position in milliseconds; nil if it tells none.
  let position: Int64?
  /// The length in milliseconds; nil if it tells none.
  let duration: Int64?

  /// Parses a line; nil for any other text.
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

  /// Returns the path of a `file:` URL of this machine (RFC 8089), or a path as it stands.
  private static func path(_ url: Substring) -> String? {
    if url.hasPrefix("/") { return String(url) }
    for front in ["file://localhost", "file://", "file:"] where url.hasPrefix(front) {
      let path = url.dropFirst(front.count)
      return path.hasPrefix("/") ? PercentCoding.decoded(String(path)) : nil
    }
    return nil
  }
}
