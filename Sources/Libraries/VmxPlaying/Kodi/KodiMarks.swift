package import VmxModel
import VmxStore
import VmxSystem

/// Exchanges marks and positions with a Kodi.
///
/// The library of Kodi is read once, with the first episodes. Where both know of playing, the later
/// one counts; a time of Kodi is local to this machine's zone.
///
///     let marks = KodiMarks(recorder, connection, map, zone: SystemZone())
///     let results = try marks.take(for: ids)
package final class KodiMarks {
  private let recorder: PlaybackRecorder
  private let connection: KodiConnection
  private let map: KodiPathMap
  private let zone: any LocalZone
  private var library: KodiLibrary?
  private var matched = 0
  private var missed = 0
  /// The path at which a file was looked for and not found, for the note.
  private var example: String?

  /// Creates the exchange; nothing is asked yet.
  ///
  /// - Parameter zone: the zone of Kodi's times.
  package init(
    _ recorder: PlaybackRecorder, _ connection: KodiConnection, _ map: KodiPathMap,
    zone: any LocalZone
  ) {
    self.recorder = recorder
    self.connection = connection
    self.map = map
    self.zone = zone
  }

  /// Takes what Kodi tells of episodes, where it is newer than what the store has.
  ///
  /// - Parameter isDryRun: whether only to tell the effect.
  /// - Returns: the result for each episode, durable; `unchanged` where Kodi does not have it or tells
  ///   nothing new.
  /// - Throws: errors of the store, and of the connection if Kodi's library cannot be read.
  package func take(for ids: [EpisodeID], isDryRun: Bool = false) throws -> [EpisodeResult] {
    try forEach(ids) { episode, videos in
      func time(of video: KodiVideo) -> Int64 { moment(of: video)?.milliseconds ?? .min }
      guard let latest = videos.max(by: { time(of: $0) < time(of: $1) }) else {
        return EpisodeResult(episode, .unchanged(.notThere))
      }
      return try recorder.take(latest.played, for: episode, in: zone, isDryRun: isDryRun)
    }
  }

  /// Tells Kodi what vmx knows of episodes, where that is newer than what Kodi has.
  ///
  /// - Parameter isDryRun: whether only to tell the effect.
  /// - Returns: the result for each episode, as Kodi confirmed it; after a failure of the connection
  ///   the others fail alike, and nothing more is asked.
  /// - Throws: as `take`; `WorkEnded.interrupted`.
  package func send(for ids: [EpisodeID], isDryRun: Bool = false) throws -> [EpisodeResult] {
    var lost: Failure?
    return try forEach(ids) { episode, videos in
      if let lost { return EpisodeResult(episode, .failed(lost)) }
      guard let mine = try mine(of: episode) else { return EpisodeResult(episode, .unchanged()) }
      var result = OperationResult.unchanged(videos.isEmpty ? .notThere : .upToDate)
      for video in videos {
        switch difference(of: video, from: mine) {
        case .none: break
        case .isOlder(let hint): result = .unchanged(hint: hint)
        case .change(let params):
          if isDryRun {
            result = .done
            continue
          }
          do {
            try set(video, params)
            result = .done
          } catch {
            if error.isInterruption { throw error }
            let failure = Failure(error)
            if failure.code != .syncRefused { lost = failure }
            return EpisodeResult(episode, .failed(failure))
          }
        }
      }
      return EpisodeResult(episode, result)
    }
  }

  /// The note about a run in which no file was found; nil if one was.
  ///
  /// - Parameter showsFolder: whether it may name a folder of Kodi, which can tell a title.
  package func note(showsFolder: Bool) -> String? {
    guard matched == 0, missed > 0, let example, let library else { return nil }
    guard library.count > 0 else { return "Kodi's library has no episodes and films" }
    let folder = showsFolder ? library.folder.map { ", but others such as in '\($0)'" } : nil
    return "Kodi has nothing at '\(example)'\(folder ?? ""); "
      + "'\(SettingKey.kodiPathMap.rawValue)' says where it sees the library"
  }

  /// Returns the result of each episode with its videos in Kodi.
  private func forEach(
    _ ids: [EpisodeID], _ body: (Episode, [KodiVideo]) throws -> EpisodeResult
  ) throws -> [EpisodeResult] {
    let library = try library ?? KodiLibrary(connection)
    self.library = library
    return try ids.map { id in
      let snapshot = try recorder.store.snapshot()
      guard let episode = try snapshot.episode(id) else {
        return EpisodeResult(id, .failed(Failure.noSuchEpisode(id)))
      }
      guard let file = snapshot.video(of: episode) else {
        return EpisodeResult(episode, .unchanged(.noFile))
      }
      let path = map.path(of: file)
      let videos = library.videos(at: path, of: episode)
      if videos.isEmpty {
        missed += 1
        example = example ?? path
      } else {
        matched += 1
      }
      return try body(episode, videos)
    }
  }
}

// The comparison with what Kodi has.
extension KodiMarks {
  /// The playing of an episode as vmx knows it.
  private struct Mine {
    let isWatched: Bool
    let at: Timestamp
    /// Seconds; 0 for the start.
    let position: Double
    /// The length in seconds, if known.
    let total: Double?
  }

  private enum Difference {
    case none
    /// Kodi has played it later, with another result.
    case isOlder(hint: String)
    case change(JSONObject)
  }

  /// Returns nil for an episode that was never played nor marked.
  private func mine(of episode: Episode) throws -> Mine? {
    let snapshot = try recorder.store.snapshot()
    guard let at = snapshot.lastPlayed(episode) else { return nil }
    let position = snapshot.playbackPosition(of: episode.id)
    return Mine(
      isWatched: episode.isWatched, at: at,
      position: Double(position?.milliseconds ?? 0) / 1000,
      total: (position?.duration ?? episode.duration).map { Double($0) / 1000 })
  }

  private func difference(of video: KodiVideo, from mine: Mine) -> Difference {
    let isSame =
      video.isWatched == mine.isWatched && abs(video.position - mine.position) < 1
    if let theirs = moment(of: video), !mine.at.isSecondLater(than: theirs) {
      let hint = "Kodi has played it since then; 'vmx mark --from kodi' takes that over"
      return isSame ? .none : .isOlder(hint: hint)
    }
    var params = JSONObject()
    params.append(video.kind.id, .integer(video.id))
    params.append("playcount", .integer(mine.isWatched ? max(1, video.playCount) : 0))
    params.append("lastplayed", zone.text(of: mine.at))
    let total = mine.position > 0 ? max(mine.total ?? video.total, mine.position) : 0
    params.append(
      "resume",
      .object(
        JSONObject(distinct: [("position", .double(mine.position)), ("total", .double(total))])))
    return .change(params)
  }

  private func set(_ video: KodiVideo, _ params: JSONObject) throws {
    let result = try connection.call(video.kind.change, params)
    guard result.string == "OK" else {
      throw Failure(.syncRefused, "Kodi did not confirm \(video.kind.change)")
    }
  }

  private func moment(of video: KodiVideo) -> Timestamp? {
    video.lastPlayed.flatMap(zone.moment(of:))
  }
}

extension StoreSnapshot {
  /// Returns the absolute path of the video of an episode; nil if it is not ready. Whether the root
  /// is present does not matter.
  fileprivate func video(of episode: Episode) -> String? {
    guard let video = episode.parts.first(where: { $0.role == .video && $0.state == .ready }),
      let uuid = video.root, let path = video.path,
      let root = record(.root, uuid)?.fields["path"]?.string
    else { return nil }
    return root.hasSuffix("/") ? root + path : "\(root)/\(path)"
  }
}
