package import VmxModel
package import VmxSettings
import VmxStore
import VmxSystem

/// Exchanges marks and positions with a Kodi instance.
///
/// Kodi's library is read once, with the first episodes. If both sides have a playback, the later
/// one wins. Kodi's times are in the local time zone of this machine.
///
///     let marks = KodiMarks(recorder, connection: connection, map: map, zone: SystemZone())
///     let results = try marks.importMarks(for: ids)
package final class KodiMarks {
  private let recorder: PlaybackRecorder
  private let connection: KodiConnection
  private let map: KodiPathMap
  private let zone: any LocalZone
  private var library: KodiLibrary?
  private var matched = 0
  private var missed = 0
  /// The path of the first file that was not found in Kodi, for the note.
  private var example: String?

  /// Creates the exchange without sending a request.
  ///
  /// - Parameter zone: the time zone of Kodi's times.
  package init(
    _ recorder: PlaybackRecorder, connection: KodiConnection, map: KodiPathMap,
    zone: any LocalZone
  ) {
    self.recorder = recorder
    self.connection = connection
    self.map = map
    self.zone = zone
  }

  /// Imports Kodi's marks and positions of episodes if they are newer than those in the store.
  ///
  /// - Returns: the result for each episode, durable; `unchanged` if Kodi does not have it or has
  ///   nothing new.
  /// - Throws: store errors, and errors of the connection if Kodi's library cannot be read.
  package func importMarks(for ids: [EpisodeID]) throws -> [EpisodeResult] {
    try forEach(ids) { episode, videos in
      func time(of video: KodiVideo) -> Int64 { timestamp(of: video)?.milliseconds ?? .min }
      guard let latest = videos.max(by: { time(of: $0) < time(of: $1) }) else {
        return EpisodeResult(episode, .unchanged(.notThere))
      }
      return try recorder.importState(latest.played(in: zone), for: episode)
    }
  }

  /// Sends the marks and positions of episodes to Kodi if they are newer than Kodi's.
  ///
  /// - Returns: the result for each episode, as confirmed by Kodi. After a connection failure, the
  ///   remaining episodes fail with the same error, without further requests.
  /// - Throws: the errors of `importMarks`; `WorkEnded.interrupted`.
  package func send(for ids: [EpisodeID]) throws -> [EpisodeResult] {
    var lost: Failure?
    return try forEach(ids) { episode, videos in
      if let lost { return EpisodeResult(episode, .failed(lost)) }
      guard let mine = try ownState(of: episode) else {
        return EpisodeResult(episode, .unchanged())
      }
      var result = OperationResult.unchanged(videos.isEmpty ? .notThere : .upToDate)
      for video in videos {
        switch difference(of: video, from: mine) {
        case .none: break
        case .isOlder(let hint): result = .unchanged(hint: hint)
        case .change(let params):
          if recorder.store.isDryRun {
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

  /// Returns a note if no file was found in Kodi; nil if at least one was found.
  ///
  /// - Parameter showsFolder: whether the note may name a folder of Kodi, which can reveal a title.
  package func note(showsFolder: Bool) -> String? {
    guard matched == 0, missed > 0, let example, let library else { return nil }
    guard library.count > 0 else { return "Kodi's library has no episodes and no films" }
    let folder = showsFolder ? library.folder.map { ", but other files such as in '\($0)'" } : nil
    return "Kodi has nothing at '\(example)'\(folder ?? ""); "
      + "set '\(SettingKey.kodiPathMap.rawValue)' to its paths of the library"
  }

  /// Calls the body with each episode and its videos in Kodi, and returns the results.
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

// The comparison with Kodi's state.
extension KodiMarks {
  /// The local playback state of an episode.
  private struct OwnState {
    let isWatched: Bool
    let at: Timestamp
    /// The position in seconds; 0 for the start.
    let position: Double
    /// The length in seconds; nil if unknown.
    let total: Double?
  }

  private enum Difference {
    case none
    /// Kodi has a later playback with a different result.
    case isOlder(hint: String)
    case change(JSONObject)
  }

  /// Returns the local state; nil for an episode that was never played or marked.
  private func ownState(of episode: Episode) throws -> OwnState? {
    let snapshot = try recorder.store.snapshot()
    guard let at = snapshot.lastPlayed(episode) else { return nil }
    let position = snapshot.playbackPosition(of: episode.id)
    return OwnState(
      isWatched: episode.isWatched, at: at,
      position: Double(position?.milliseconds ?? 0) / 1000,
      total: (position?.duration ?? episode.duration).map { Double($0) / 1000 })
  }

  private func difference(of video: KodiVideo, from mine: OwnState) -> Difference {
    let isSame =
      video.isWatched == mine.isWatched && abs(video.position - mine.position) < 1
    if let theirs = timestamp(of: video), !mine.at.isSecondLater(than: theirs) {
      let hint = "Kodi has played it since then; run 'vmx mark --from kodi' to import that"
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

  private func timestamp(of video: KodiVideo) -> Timestamp? {
    video.lastPlayed.flatMap(zone.timestamp(of:))
  }
}

extension StoreSnapshot {
  /// Returns the absolute path of an episode's video; nil if it is not ready. The root may be
  /// unmounted.
  fileprivate func video(of episode: Episode) -> String? {
    guard let video = episode.parts.first(where: { $0.role == .video && $0.state == .ready }),
      let uuid = video.root, let path = video.path,
      let root = rootFolder(uuid)
    else { return nil }
    return root.hasSuffix("/") ? root + path : "\(root)/\(path)"
  }
}
