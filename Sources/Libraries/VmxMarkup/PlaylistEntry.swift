package import VmxModel

/// An entry of a playlist in the extended M3U format and UTF-8, which mpv, VLC, Kodi and mpd read:
/// a line with the playing time and the title, then the path.
///
///     let text = PlaylistEntry.header + PlaylistEntry(episode, at: "/films/one.mp4").text
package struct PlaylistEntry: Sendable {
  /// The first line of a playlist, with its end.
  package static let header = "#EXTM3U\n"

  /// The lines of the entry, each with its end.
  package let text: String

  /// Creates the entry of an episode's file.
  package init(_ episode: Episode, at path: String) {
    self.init(
      duration: episode.duration, titles: [episode.showTitle, episode.title], path: path)
  }

  /// Creates the entry of a file.
  ///
  /// - Parameters:
  ///   - duration: in milliseconds; nil if unknown.
  ///   - titles: the titles of the show and of the episode; empty ones are omitted.
  ///   - path: absolute, or relative to the folder of the playlist.
  package init(duration: Int64?, titles: [String], path: String) {
    let seconds = duration.map { max(1, $0 / 1000 + ($0 % 1000 >= 500 ? 1 : 0)) } ?? -1
    let title = titles.filter { !$0.isEmpty }.joined(separator: " - ")
      .split { $0.isNewline }.joined(separator: " ")
    text = "#EXTINF:\(seconds),\(title)\n\(Self.line(path))\n"
  }

  /// A path with a line end cannot be written as such, but as a URL (RFC 8089).
  private static func line(_ path: String) -> String {
    guard path.contains(where: \.isNewline) else { return path }
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    return "file://"
      + components.map { PercentCoding.codedComponent(String($0)) }
      .joined(separator: "/")
  }
}
