import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension BundleImporter {
  /// Mends files with those of the bundle that have the same digest.
  func repair(
    _ ids: [EpisodeID], _ source: BundleSource, _ root: MediaRoot, _ place: ImportStaging.Place,
    _ progress: @escaping (Int) -> Void, _ report: (EpisodeResult) throws -> Void
  ) throws -> Int {
    let snapshot = try store.snapshot()
    let episodes = try ids.compactMap { try snapshot.episode($0) }
    let wanted = Set(episodes.flatMap(\.mendable).compactMap(\.sha256))
    let contents = try read(
      source,
      .staging(place) { path, record in
        guard let record, let bundled = try? BundledEpisode(record) else { return true }
        let file = bundled.files.first { $0.path == path }
        return file?.sha256.map { wanted.contains($0) } ?? false
      }, progress)
    defer { remove(contents) }
    for episode in episodes { try report(mended(episode, contents)) }
    return contents.files.count
  }

  private func mended(_ episode: Episode, _ contents: BundleContents) -> EpisodeResult {
    let parts = episode.mendable
    guard !parts.isEmpty else { return EpisodeResult(episode, .unchanged()) }
    do {
      var last: (episode: Episode, unsaved: Failure?)?
      for part in parts {
        guard let digest = part.sha256, let uuid = part.root,
          let file = contents.staged(part.name, digest)
        else {
          throw Failure(
            .noFile, "the bundle has no file with the bytes of '\(part.name)' of '\(episode.id)'",
            hint: "'vmx fetch --repair \(episode.id)' asks its sources")
        }
        last = try operations.publish([file], episode.id, mediaRoots.root(uuid))
      }
      return EpisodeResult(last?.episode ?? episode, .done)
    } catch {
      return EpisodeResult(episode, OperationResult(Failure(error)))
    }
  }
}

extension Episode {
  /// The parts whose files verify has found damaged or missing.
  fileprivate var mendable: [Part] {
    parts.filter { [.damaged, .missing].contains($0.resumeState ?? $0.state) }
  }
}

extension BundleContents {
  /// The failure of an episode whose files are not all intact.
  func failure(of bundled: BundledEpisode) -> Failure? {
    for file in bundled.files where !isIntact(file.path, file.sha256) {
      let failure = files[file.path] == nil ? self.failure : nil
      return failure
        ?? Failure(.bundleInvalid, "'\(file.path)' is not in the bundle as its record says")
    }
    return nil
  }

  func staged(_ part: String, _ digest: Digest) -> BundleImporter.StagedPart? {
    let path = files.first { $0.value.sha256 == digest && $0.value.staged != nil }?.key
    return path.flatMap { staged(BundledEpisode.File(part: part, path: $0, sha256: digest)) }
  }

  func staged(_ file: BundledEpisode.File) -> BundleImporter.StagedPart? {
    guard let found = files[file.path], let copy = found.staged, let sha256 = found.sha256 else {
      return nil
    }
    return BundleImporter.StagedPart(
      file: copy, part: file.part,
      found: FoundBytes(
        size: ByteCount(clamping: found.size), sha256: sha256, proof: .length,
        segments: found.segments))
  }
}
