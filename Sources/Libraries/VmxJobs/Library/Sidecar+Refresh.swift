import VmxModel

extension Sidecar {
  /// Puts an episode's record as it is now beside its media, where those are; digests and the NFO
  /// file stay as they are known.
  ///
  /// The bytes are flushed before the rename, so that a power cut never takes the digests; which of
  /// the two records it leaves does not matter, since the store has the last one.
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
