import VmxModel

/// An entry of a playlist in the extended M3U format and UTF-8, which mpv, VLC, Kodi and mpd read:
/// a line with the playing time and the title, then the path.
struct PlaylistEntry {
  /// The lines of the entry, each with its end.
  let text: String

  /// Creates the entry of an episode's file.
  init(_ episode: Episode, _ file: String) {
    let seconds = episode.duration.map { max(1, ($0 + 500) / 1000) } ?? -1
    let titles = [episode.showTitle, episode.title].filter { !$0.isEmpty }
    let title = titles.joined(separator: " - ").split { $0.isNewline }.joined(separator: " ")
    // A path with a line end cannot be written as such, but as a URL (RFC 8089).
    let isPlain = !file.contains { $0.isNewline }
    let components = file.split(separator: "/", omittingEmptySubsequences: false)
    let coded = components.map { PercentCoding.codedComponent(String($0)) }.joined(separator: "/")
    let path = isPlain ? file : "file://\(coded)"
    text = "#EXTINF:\(seconds),\(title)\n\(path)\n"
  }
}
