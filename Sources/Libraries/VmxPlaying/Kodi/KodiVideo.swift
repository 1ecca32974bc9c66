import VmxModel

/// A video in Kodi's library with its playback state.
struct KodiVideo: Sendable, Equatable {
  /// The kinds of videos in Kodi that correspond to episodes.
  enum Kind: CaseIterable, Sendable {
    case episode, movie

    /// The method that lists the videos.
    var listing: String {
      self == .episode ? "VideoLibrary.GetEpisodes" : "VideoLibrary.GetMovies"
    }
    /// The method that changes a video.
    var change: String {
      self == .episode ? "VideoLibrary.SetEpisodeDetails" : "VideoLibrary.SetMovieDetails"
    }
    /// The key of the list in the response.
    var list: String { self == .episode ? "episodes" : "movies" }
    /// The key of the id.
    var id: String { self == .episode ? "episodeid" : "movieid" }
    /// The requested properties.
    var properties: [JSONValue] {
      let common: [JSONValue] = ["file", "playcount", "lastplayed", "resume"]
      return self == .episode ? common + ["season", "episode"] : common
    }
  }

  let kind: Kind
  let id: Int64
  let file: String
  let isWatched: Bool
  let playCount: Int64
  /// The time of the last playback in Kodi's time zone; nil if the video was never played.
  let lastPlayed: String?
  /// The resume position in seconds; 0 for the start.
  let position: Double
  /// The length in seconds; 0 if unknown.
  let total: Double
  let season: Int64?
  let number: Int64?

  /// Decodes a video object of a response. Returns nil if its id or file is missing.
  init?(_ object: JSONObject, _ kind: Kind) {
    guard let id = object[kind.id]?.integer, let file = object["file"]?.string, !file.isEmpty else {
      return nil
    }
    self.kind = kind
    self.id = id
    self.file = file
    playCount = max(0, object["playcount"]?.integer ?? 0)
    isWatched = playCount > 0
    lastPlayed = object["lastplayed"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let resume = object["resume"]?.object
    position = Self.seconds(resume?["position"])
    total = Self.seconds(resume?["total"])
    season = object["season"]?.integer
    number = object["episode"]?.integer
  }

  /// Returns the playback state according to Kodi.
  ///
  /// - Parameter zone: the time zone of Kodi.
  func played(in zone: any LocalZone) -> ExternalPlayback {
    ExternalPlayback(
      isWatched: isWatched, lastPlayed: lastPlayed.flatMap(zone.timestamp(of:)),
      position: position > 0 ? Int64((position * 1000).rounded()) : nil)
  }

  /// Returns a number of seconds from 0 to ten years; 0 for other values.
  private static func seconds(_ value: JSONValue?) -> Double {
    let seconds: Double
    switch value {
    case .double(let number): seconds = number
    case .integer(let number): seconds = Double(number)
    default: return 0
    }
    return (0...315_360_000).contains(seconds) ? seconds : 0
  }
}
