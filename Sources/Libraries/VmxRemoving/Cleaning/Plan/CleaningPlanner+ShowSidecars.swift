import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Plans the writing of missing and outdated sidecars of shows, and the removal of those of shows
  /// that the store does not know.
  ///
  /// - Throws: errors of the store.
  func showSidecarSteps(
    in root: MediaRoot, survey: StoreSurvey, failures: ReadFailures
  ) throws -> [CleaningStep] {
    let folder = PathBytes(LibraryLayout.Folder.shows.path)
    let steps = try failures.attempt(at: folder) { () throws -> [CleaningStep] in
      let snapshot = try store.snapshot()
      let written =
        try isWritable(root.folder.appending(LibraryLayout.hidden))
        ? outdatedShowSteps(in: root, snapshot, of: survey.roots[root.uuid]?.shows ?? [], failures)
        : []
      return try written + obsoleteShowSteps(in: root, snapshot)
    }
    return steps ?? []
  }

  private func outdatedShowSteps(
    in root: MediaRoot, _ snapshot: StoreSnapshot, of present: Set<UInt64>,
    _ failures: ReadFailures
  ) throws -> [CleaningStep] {
    guard !present.isEmpty else { return [] }
    var slugs: Set<String> = []
    for kind in RecordKind.shows {
      snapshot.records(of: kind) { record in
        if present.contains(StableHash.of(record.id)) { slugs.insert(record.id) }
        return true
      }
    }
    let lastRev = snapshot.lastRev
    return try slugs.sorted().compactMap { name in
      guard let slug = Slug(valid: name) else { return nil }
      let path = PathBytes(LibraryLayout.sidecar(ofShow: slug))
      guard
        let sidecar = try failures.attempt(
          at: path, { try ShowSidecar(of: slug, below: root.folder) })
      else { return nil }
      do throws(Failure) {
        let known = try RecordedShow(name, in: snapshot)
        let isNewer =
          sidecar.restoring(
            known, lastRev: lastRev, now: now, mayRate: store.allowsRatingChanges) != nil
        guard !isNewer, sidecar.isOutdated(for: known) else { return nil }
      } catch {
        // A record that cannot be decoded replaces no sidecar; `vmx doctor` reports it.
        return nil
      }
      return CleaningStep(
        .writeShow(root: root.uuid, path),
        explanation: sidecar.exists
          ? "the sidecar of '\(name)' is older than its record"
          : "the sidecar of '\(name)' is missing")
    }
  }

  /// Plans the removal of the sidecars of shows that neither the store nor a sidecar of an episode
  /// names: at once after a renaming that was interrupted, else when they are old.
  private func obsoleteShowSteps(
    in root: MediaRoot, _ snapshot: StoreSnapshot
  ) throws -> [CleaningStep] {
    let files = try root.files(in: .shows) { !LibraryLayout.isTemporary($0) }
      .filter { try ShowSidecar.isObsolete(at: $0.path, in: snapshot) }
    guard !files.isEmpty else { return [] }
    // A record of an episode that is lost may be restored from its sidecar, and the show with it.
    var named: Set<String> = []
    for file in try root.files(in: .records) {
      if let id = LibraryLayout.episode(ofSidecar: file.path) { named.insert(id.show) }
    }
    let present = Set(try ShowSidecar.slugs(in: root).map(\.description))
    let former = formerSlugs(in: snapshot).filter { present.contains($0.value) }
    return files.compactMap { file in
      guard let slug = LibraryLayout.show(ofSidecar: file.path)?.description,
        !named.contains(slug), file.isOld(at: ages) || former[slug] != nil
      else { return nil }
      return CleaningStep(
        in: root, file: file, explanation: "the show '\(slug)' no longer has episodes"
      ) { .dropSidecar($0, of: nil) }
    }
  }

  /// The present slugs of renamed shows, by their former ones.
  private func formerSlugs(in snapshot: StoreSnapshot) -> [String: String] {
    var slugs: [String: String] = [:]
    snapshot.records(of: .alias) { record in
      if let old = EpisodeID(valid: record.id),
        let new = record.fields["to"]?.string.flatMap({ EpisodeID(valid: $0) }),
        old.show != new.show
      {
        slugs[old.show] = new.show
      }
      return true
    }
    return slugs
  }
}

extension ShowSidecar {
  /// Whether the store has neither a record of the show of a sidecar nor an episode of it; false
  /// for a path that is none of a sidecar, and if a record cannot be decoded.
  static func isObsolete(at path: PathBytes, in snapshot: StoreSnapshot) throws -> Bool {
    guard let slug = LibraryLayout.show(ofSidecar: path)?.description,
      snapshot.record(.show, slug) == nil, snapshot.record(.favourite, slug) == nil
    else { return false }
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var isKnown = false
    try snapshot.episodes(matching: query) { _ in
      isKnown = true
      return false
    }
    return !isKnown
  }
}
