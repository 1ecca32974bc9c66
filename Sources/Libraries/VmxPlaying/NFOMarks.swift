import VmxLibrary
import VmxMarkup
package import VmxModel
import VmxStore
import VmxSystem

// Kodi and Jellyfin write into the NFO file when they are told to export it. vmx reads that only when
// it is asked to (`vmx mark --from nfo`): a file may be years old, and a cleaning must not
// change marks. The time of the last playing decides, so what vmx knows is never replaced by what is
// older, and reading twice changes nothing.

/// Takes marks and positions from the NFO files beside the videos.
///
///     let marks = NFOMarks(recorder, zone: SystemZone())
///     let results = try marks.take(for: ids)
package struct NFOMarks {
  /// How far the clock of the program that wrote the file may be ahead, in milliseconds.
  private static let tolerance: Int64 = 86_400_000

  private let recorder: PlaybackRecorder
  private let mediaRoots: MediaRoots
  private let zone: any LocalZone

  /// Creates a reader.
  ///
  /// - Parameter zone: the zone of `lastplayed`.
  package init(_ recorder: PlaybackRecorder, zone: any LocalZone) {
    self.recorder = recorder
    self.zone = zone
    mediaRoots = MediaRoots(
      store: recorder.store, newFilesBelow: recorder.store.home.defaultRoot)
  }

  /// Takes what the NFO files of episodes tell, where it is newer than what the store has.
  ///
  /// - Parameter isDryRun: whether only to tell the effect.
  /// - Returns: the result for each episode, durable; `unchanged` where the file is not there or
  ///   tells nothing new.
  /// - Throws: errors of the store.
  package func take(
    for ids: [EpisodeID], isDryRun: Bool = false
  ) throws -> [EpisodeResult] {
    try ids.map { id in
      guard let episode = try recorder.store.snapshot().episode(id) else {
        return EpisodeResult(id, .failed(Failure.noSuchEpisode(id)))
      }
      do {
        guard let played = try document(of: episode) else {
          return EpisodeResult(episode, .unchanged())
        }
        return try take(played, for: episode, isDryRun: isDryRun)
      } catch let error as StoreError {
        throw error
      } catch {
        return EpisodeResult(episode.id, .failed(Failure(error)))
      }
    }
  }

  private func take(
    _ played: NFODocument, for episode: Episode, isDryRun: Bool
  ) throws -> EpisodeResult {
    let unchanged = EpisodeResult(episode, .unchanged())
    guard let at = played.lastPlayed.flatMap(zone.moment(of:)),
      at <= recorder.clock.now.adding(milliseconds: Self.tolerance),
      try isNews(at, of: episode)
    else { return unchanged }
    var result = unchanged
    func set(_ mark: PlaybackRecorder.Mark) throws {
      let next = try recorder.set(mark, on: [episode.id], isDryRun: isDryRun, at: at)[0]
      if next.result != .unchanged() { result = next }
    }
    if let isWatched = played.isWatched { try set(isWatched ? .watched : .unwatched) }
    if let position = played.position, result.result.failure == nil { try set(.position(position)) }
    return result
  }

  /// Whether a time is later than the last one at which the store knows of playing. NFO files have
  /// whole seconds.
  private func isNews(_ at: Timestamp, of episode: Episode) throws -> Bool {
    let position = try recorder.store.snapshot().playbackPosition(of: episode.id)
    return [episode.watchedAt, position?.at].allSatisfy { known in
      known.map { $0.milliseconds / 1000 < at.milliseconds / 1000 } ?? true
    }
  }

  /// Returns the document of the episode in the NFO file beside its video; nil if there is none.
  private func document(of episode: Episode) throws -> NFODocument? {
    guard let video = episode.parts.first(where: { $0.role == .video && $0.state == .ready }),
      let uuid = video.root, let path = video.path,
      let nfo = SidecarWriter.nfoPath(beside: PathBytes(path))
    else { return nil }
    let file = try mediaRoots.root(uuid).file(at: nfo)
    guard let bytes = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.largest) else {
      return nil
    }
    let documents = try NFOContents(bytes).documents.filter {
      $0.kind == .episode || $0.kind == .movie
    }
    guard documents.count > 1 else { return documents.first }
    return documents.first { $0.season == episode.season && $0.number == episode.number }
  }
}
