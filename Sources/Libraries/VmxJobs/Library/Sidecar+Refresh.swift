import VmxModel

extension Sidecar {
  /// Puts an episode's record as it is now beside its media, where those are; digests and the NFO
  /// file stay as they are known.
  static func refresh(_ episode: Episode, on shelf: RootShelf) {
    let video = episode.parts.first { $0.role == .video && $0.state == .ready }
    guard let uuid = video?.root else { return }
    do {
      let known = try Sidecar(of: episode.id, below: try shelf.root(uuid).folder)
      try known.replace(by: episode, found: [:], nfo: known.nfo)
    } catch {
      // A root that is away or read-only is no failure; the next change writes it.
    }
  }
}
