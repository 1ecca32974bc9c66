import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension BundleImporter {
  /// Repairs files of episodes with files of the bundle that have the same digest.
  ///
  /// A staged copy is renamed into its root, so the bundle is read once for each root.
  func repair(
    _ ids: [EpisodeID], from source: BundleSource, progress: @escaping (Int) -> Void,
    report: (EpisodeResult) throws -> Void
  ) throws -> Int {
    let snapshot = try store.snapshot()
    // `vmx verify` writes one row for each part, so an id may occur several times.
    var known: Set<EpisodeID> = []
    let episodes = try ids.filter { known.insert($0).inserted }
      .compactMap { try snapshot.episode($0) }
    var results: [EpisodeID: EpisodeResult] = [:]
    var count = 0
    for uuid in Set(episodes.flatMap(\.repairableParts).compactMap(\.root)).sorted() {
      let here = episodes.filter { $0.repairableParts.contains { $0.root == uuid } }
      for result in try repair(here, in: uuid, from: source, progress: progress, count: &count)
      where results[result.id]?.result.failure == nil {
        results[result.id] = result
      }
    }
    for episode in episodes {
      try report(results[episode.id] ?? EpisodeResult(episode, .unchanged()))
    }
    return count
  }

  private func repair(
    _ episodes: [Episode], in uuid: String, from source: BundleSource,
    progress: @escaping (Int) -> Void, count: inout Int
  ) throws -> [EpisodeResult] {
    let root: MediaRoot
    do {
      root = try mediaRoots.root(uuid)
      // Prevents creating files below the mount point of a disk that is not mounted.
      _ = try VerifiedRoot(root)
    } catch {
      return episodes.map { EpisodeResult($0, OperationResult(Failure(error))) }
    }
    let location = try ImportStaging(store).location(in: root)
    defer { location.release() }
    let wanted = Set(episodes.flatMap(\.repairableParts).compactMap(\.sha256))
    let contents = try read(
      source,
      for: .staging(location) { path, record in
        // The file of a record that cannot be decoded is staged; its digest decides later.
        guard let bundled = try? BundledEpisode(record) else { return true }
        let file = bundled.files.first { $0.path == path }
        return file?.sha256.map { wanted.contains($0) } ?? false
      }, progress: progress)
    count = contents.count
    let copies = contents.copiesByDigest()
    return episodes.map { episode in
      do {
        return EpisodeResult(try repaired(episode, from: contents, copies: copies, in: root), .done)
      } catch {
        return EpisodeResult(episode, OperationResult(Failure(error)))
      }
    }
  }

  private func repaired(
    _ episode: Episode, from contents: BundleContents, copies: [Digest: String], in root: MediaRoot
  ) throws -> Episode {
    var episode = episode
    for part in episode.repairableParts where part.root == root.uuid {
      guard let digest = part.sha256, let path = copies[digest],
        let file = try contents.staged(
          BundledEpisode.File(part: part.name, path: path, sha256: digest))
      else {
        throw Failure(
          .noFile, "the bundle has no file with the bytes of '\(part.name)' of '\(episode.id)'",
          hint: "'vmx fetch --repair \(episode.id)' asks its sources")
      }
      episode = try operations.publish([file], episode.id, root, nil).episode
    }
    return episode
  }
}

extension Episode {
  /// The parts that `vmx verify` found damaged or missing, including those whose bytes an
  /// interrupted repair has left for publication.
  fileprivate var repairableParts: [Part] {
    parts.filter { $0.isToBeRepaired || $0.pendingState == .checked }
  }
}

extension BundleContents {
  /// Returns the failure for the first file of an episode that is not intact; nil if all are.
  func failure(of bundled: BundledEpisode) -> Failure? {
    for file in bundled.files where !isIntact(file.path, file.sha256) {
      let isMissing = check.size(of: PathBytes(file.path)) == nil
      if isMissing, let remote = remote(file.path) { return remote }
      return (isMissing ? failure : nil)
        ?? Failure(
          .bundleInvalid, "'\(file.path)' in the bundle differs from its record",
          hint: BundleImporter.copyAgain)
    }
    return nil
  }

  /// Returns the failure for a file that the bundle only lists with its URL; nil for any other.
  private func remote(_ path: String) -> Failure? {
    guard let line = verdict?.absent.first(where: { $0.path.path.text == path }) else { return nil }
    return Failure(
      .bundleInvalid, "'\(path)' is not in the bundle; its '\(BagFetchLine.name)' only has the URL",
      hint: "fetch '\(URLRedaction.redacted(operand: line.url))' to that path, then import again")
  }
}
