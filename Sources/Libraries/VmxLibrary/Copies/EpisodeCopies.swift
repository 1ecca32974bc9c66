import SystemPackage
package import VmxModel
package import VmxStore

extension StoreSnapshot {
  /// Returns the places that have files of an episode: the root of its video first, then the
  /// bundles by their paths.
  ///
  /// - Throws: errors of reading the store and the file system.
  package func episodeCopies(of episode: Episode) throws -> [EpisodeCopy] {
    let video = episode.readyVideo
    let digest = BundleCopy.abbreviated(video?.sha256)
    let bundles = copies(of: episode.id).map { copy, found in
      EpisodeCopy(
        path: copy.path.string, type: copy.type, verified: copy.verified,
        presence: copy.presence(of: found),
        isSame: found.digest.isEmpty || digest.isEmpty ? nil : found.digest == digest)
    }
    return try [video].compactMap { try $0.map { try episodeCopy(of: $0, in: episode) } } + bundles
  }

  private func episodeCopy(of video: Part, in episode: Episode) throws -> EpisodeCopy {
    let folder = video.root.flatMap { rootFolder($0) } ?? ""
    let presence: EpisodeCopy.Presence
    do {
      _ = try mediaFile(of: video, of: episode)
      presence = .reachable
    } catch let failure as Failure {
      presence = failure.code == .noFile ? .changed : .unreachable
    }
    return EpisodeCopy(
      path: "\(folder)/\(video.path ?? "")", type: "library", verified: video.verifiedAt,
      presence: presence, isSame: true)
  }
}
