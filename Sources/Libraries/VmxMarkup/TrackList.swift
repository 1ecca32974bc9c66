package import VmxModel

/// The tracks of an XSPF document, a playlist in XML (<https://www.xspf.org/spec>).
package struct TrackList: Sendable, Equatable {
  /// A track.
  package struct Track: Sendable, Equatable {
    /// The first location that is an http or https URL, else the first one; empty for none.
    package var location = ""
    /// The title; empty for none.
    package var title = ""
    /// The playing time in milliseconds.
    package var duration: Int64?
    /// The line of the location in the document.
    package var line = 0
  }

  /// The tracks, in the order of the document. Those without a location are left out.
  package let tracks: [Track]

  /// Parses a document; nil if it is no playlist.
  ///
  /// - Throws: `resources-short`.
  package init?(_ bytes: [UInt8]) throws(Failure) {
    var reader = TrackReader()
    var position = 0
    let form = try MarkupParser.parse(MarkupText.prepared(bytes), from: &position) {
      reader.read($0)
    }
    guard form != .empty, reader.isPlaylist else { return nil }
    tracks = reader.tracks
  }
}

/// Collects the tracks of a document.
private struct TrackReader {
  private(set) var tracks: [TrackList.Track] = []
  private(set) var isPlaylist = false
  private var path: [String] = []
  private var text = ""
  private var line = 0
  private var track = TrackList.Track()

  mutating func read(_ event: MarkupEvent) {
    switch event {
    case .begin(let element):
      if path.isEmpty { isPlaylist = element.name == "playlist" }
      path.append(element.name)
      if path == ["playlist", "trackList", "track"] { track = TrackList.Track() }
      (text, line) = ("", element.line)
    case .text(let piece): text += piece
    case .end:
      switch path.dropFirst(2) {
      case ["track", "location"]: locate(text.trimmed)
      case ["track", "title"]:
        track.title = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      case ["track", "duration"]:
        track.duration = Int64(text.trimmed).flatMap { $0 > 0 ? $0 : nil }
      case ["track"] where !track.location.isEmpty: tracks.append(track)
      default: break
      }
      path.removeLast()
      text = ""
    }
  }

  /// Keeps a location of the track. Several name the same film, the preferred one first.
  private mutating func locate(_ location: String) {
    guard !location.isEmpty, track.location.isEmpty || !Self.isWeb(track.location) else { return }
    guard track.location.isEmpty || Self.isWeb(location) else { return }
    (track.location, track.line) = (location, line)
  }

  private static func isWeb(_ location: String) -> Bool {
    let text = location.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }
}
