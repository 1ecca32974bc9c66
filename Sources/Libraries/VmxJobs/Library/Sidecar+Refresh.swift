import VmxModel

extension Sidecar {
  /// Writes an episode's present record to its sidecar, if its video is ready. Segment digests and
  /// the NFO entry are kept.
  ///
  /// The bytes are flushed before the rename, so that a power cut never loses the digests. Either
  /// of the two records may survive it, since the store has the latest one.
  static func refresh(_ episode: Episode, on mediaRoots: MediaRoots) {
    let video = episode.parts.first { $0.role == .video && $0.state == .ready }
    guard let uuid = video?.root else { return }
    do {
      let known = try Sidecar(of: episode.id, below: try mediaRoots.root(uuid).folder)
      let draft = try DraftFile(
        of: known.path, known.bytes(of: episode, found: [:], nfo: known.nfo))
      draft.rename()
    } catch {
      // The mark is in the store; the next change of the episode writes the sidecar.
    }
  }
}
