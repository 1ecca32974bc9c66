import VmxLibrary
import VmxModel
import VmxStore

extension BundleImporter {
  /// Whether a file is worth a copy: the library lacks it.
  func wants(_ path: String, _ record: JSONObject?) throws -> Bool {
    guard let record else { return true }
    let bundled: BundledEpisode
    do throws(Failure) {
      bundled = try BundledEpisode(record)
    } catch {
      return false
    }
    guard let file = bundled.files.first(where: { $0.path == path }) else { return false }
    let matches = Set(try store.snapshot().find(bundled.identity))
    return try !matches.contains { id in
      guard let episode = try store.snapshot().episode(id) else { return false }
      return episode.want == .gone
        || episode.parts.contains {
          $0.name == file.part && $0.state == .ready && $0.sha256 == file.sha256
        }
    }
  }

  func result(
    of record: JSONObject, _ contents: BundleContents, _ root: MediaRoot
  ) -> EpisodeResult {
    let id = BundledEpisode.id(of: record)
    do {
      let bundled = try BundledEpisode(record)
      if let failure = contents.failure(of: bundled) { return EpisodeResult(id, .failed(failure)) }
      return try take(bundled, contents, root)
    } catch {
      return EpisodeResult(id, OperationResult(Failure(error)))
    }
  }

  private func take(
    _ bundled: BundledEpisode, _ contents: BundleContents, _ root: MediaRoot
  ) throws -> EpisodeResult {
    var bundled = bundled
    let video = bundled.files.first { $0.part == PartRole.video.rawValue }
    var known = try match(&bundled)
    if let known, known.want == .gone {
      return EpisodeResult(known, .unchanged(.gone, hint: known.removedHint))
    }
    // An import is a request; what the user holds back stays so.
    if known?.want == Want.none { bundled.description.want = .fetch }
    if let other = known, let digest = other.readyVideo, let video, digest != video.sha256 {
      switch options.conflict {
      case .keep: return EpisodeResult(other, .unchanged(.otherBytes))
      case .replace:
        // The record goes too, so that nothing of the old file is mixed with the new one.
        bundled.description.id = other.id
        if options.isDryRun { return EpisodeResult(other, .planned) }
        try operations.remove(other.id)
        known = nil
      // The keys belong to the episode of the library; the bytes identify the other one.
      case .both:
        bundled.identity = [video.sha256].compactMap { $0.map { .digest($0.hex) } }
        known = try match(&bundled)
      }
    }
    let missing = bundled.files.filter { file in
      known?.parts.contains {
        $0.name == file.part && $0.state == .ready && $0.sha256 == file.sha256
      }
        != true
    }
    if options.isDryRun {
      let id = known?.id ?? bundled.description.proposedID
      return EpisodeResult(id, missing.isEmpty ? .unchanged() : .planned, known)
    }
    return try record(bundled, missing, contents, root)
  }

  private func record(
    _ bundled: BundledEpisode, _ files: [BundledEpisode.File], _ contents: BundleContents,
    _ root: MediaRoot
  ) throws -> EpisodeResult {
    let importer = try EpisodeImporter(
      exported: bundled.description, identity: bundled.identity, secrets: store.secrets)
    try importer.prepare(in: store)
    let taken = try store.update(files.isEmpty ? .durable : .soon) { transaction in
      try importer.take(into: &transaction, now: clock.now)
    }
    let staged = files.compactMap { contents.staged($0) }
    guard !staged.isEmpty else {
      return EpisodeResult(taken.episode, OperationResult(isChanged: taken.verdict != .unchanged))
    }
    let (episode, unsaved) = try operations.publish(staged, taken.episode.id, root)
    let note = unsaved.map { "what belongs beside '\(episode.id)' is not written: \($0.summary)" }
    return EpisodeResult(episode.id, .done, episode, notes: [note].compactMap { $0 })
  }

  /// Returns the episode of the library that a bundled one is. The digest of the video decides
  /// between several; then only that identifies it.
  ///
  /// - Throws: `ambiguous`, the errors of the store.
  private func match(_ bundled: inout BundledEpisode) throws -> Episode? {
    let snapshot = try store.snapshot()
    let matches = try Set(snapshot.find(bundled.identity)).sorted().compactMap {
      try snapshot.episode($0)
    }
    guard matches.count > 1 else { return matches.first }
    let video = bundled.files.first { $0.part == PartRole.video.rawValue }?.sha256
    if let video, let same = matches.first(where: { $0.readyVideo == video }) {
      bundled.identity = [.digest(video.hex)]
      return same
    }
    throw Failure(
      .ambiguous,
      "'\(bundled.description.proposedID)' fits '\(matches[0].id)' and '\(matches[1].id)'")
  }
}

extension Episode {
  fileprivate var readyVideo: Digest? {
    parts.first { $0.role == .video && $0.state == .ready }?.sha256
  }
}
