import VmxLibrary
import VmxMarkup
package import VmxModel
import VmxStore
import VmxSystem

// Kodi and Jellyfin write the NFO file when the user exports their library. vmx reads marks from it
// only on request (`vmx mark --from nfo`): a file may be years old, and other operations must not
// change marks.

/// Imports marks and positions from the NFO files next to the videos.
///
///     let marks = NFOMarks(recorder, zone: SystemZone())
///     let results = try marks.importMarks(for: ids)
package struct NFOMarks {
  private let recorder: PlaybackRecorder
  private let mediaRoots: MediaRoots
  private let zone: any LocalZone

  /// Creates a reader.
  ///
  /// - Parameter zone: the time zone of `lastplayed`.
  package init(_ recorder: PlaybackRecorder, zone: any LocalZone) {
    self.recorder = recorder
    self.zone = zone
    mediaRoots = MediaRoots(
      store: recorder.store, newFilesBelow: recorder.store.home.defaultRoot)
  }

  /// Imports the marks from the NFO files of episodes if they are newer than those in the store.
  ///
  /// - Returns: the result for each episode, durable; `unchanged` if the file is missing or
  ///   contains nothing new.
  /// - Throws: store errors.
  package func importMarks(for ids: [EpisodeID]) throws -> [EpisodeResult] {
    try ids.map { id in
      guard let episode = try recorder.store.snapshot().episode(id) else {
        return EpisodeResult(id, .failed(Failure.noSuchEpisode(id)))
      }
      do {
        guard let document = try document(of: episode) else {
          return EpisodeResult(episode, .unchanged())
        }
        return try recorder.importState(document.played(in: zone), for: episode)
      } catch let error as StoreError {
        throw error
      } catch {
        return EpisodeResult(episode.id, .failed(Failure(error)))
      }
    }
  }

  /// Returns the episode's document from the NFO file next to its video; nil if there is none.
  private func document(of episode: Episode) throws -> NFODocument? {
    guard let video = episode.parts.first(where: { $0.role == .video && $0.state == .ready }),
      let uuid = video.root, let path = video.path,
      let nfo = SidecarWriter.nfoPath(beside: PathBytes(path))
    else { return nil }
    let file = try mediaRoots.root(uuid).file(at: nfo)
    guard let bytes = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes) else {
      return nil
    }
    return try NFOContents(bytes).document(of: episode)
  }
}
