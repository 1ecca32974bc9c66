import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// A home that is restored from a backup is older than the media beside it. Their sidecars have the
// marks that were set since, and the trash has the removals. Both are taken over before anything is
// planned, so that no removed film is fetched again and no newer sidecar is overwritten.

/// Takes over what the sidecars and the trash know and the store has lost.
package struct NewerMedia {
  /// The numbers of episodes whose marks and removals are newer in the media.
  package struct Found: Sendable, Equatable {
    /// The episodes with newer marks.
    package var marks = 0
    /// The shows with newer records.
    package var shows = 0
    /// The episodes whose removals the store does not know.
    package var removed: Set<EpisodeID> = []
    /// The roots that the user has declared lost, or no longer lost.
    package var lostRoots = 0
    /// The episodes whose sidecars are older than their records.
    package var outdated: Set<EpisodeID> = []

    /// Whether the store lacks nothing.
    package var isEmpty: Bool { marks == 0 && shows == 0 && removed.isEmpty && lostRoots == 0 }

    /// The numbers as words for the user.
    package var text: String {
      let parts = [
        CountText.text(marks, "mark"), CountText.text(shows, "show"),
        CountText.text(removed.count, "removal"), CountText.text(lostRoots, "lost root"),
      ].compactMap(\.self)
      let rest = parts.dropLast().joined(separator: ", ")
      return "this store is older than its media: " + (rest.isEmpty ? "" : "\(rest) and ")
        + "\(parts.last ?? "nothing") newer there"
    }
  }

  let store: LibraryStore
  private let mediaRoots: MediaRoots
  let now: Timestamp

  /// Creates the comparison for the roots of a library; in a dry run it only counts.
  package init(_ store: LibraryStore, now: Timestamp) {
    self.store = store
    self.now = now
    mediaRoots = MediaRoots(store: store)
  }

  /// Takes over newer marks and removals; durable on return. Files and folders that cannot be read
  /// are skipped; the plan of the run reports them.
  ///
  /// - Throws: errors of the store.
  package func takeOver() throws -> Found {
    var found = Found()
    if !store.isDryRun { try mediaRoots.recordConfiguredRoots() }
    found.lostRoots = try declarations()
    found.removed = try takeOverRemovals().removed
    for root in try mediaRoots.presentRoots() {
      let failures = ReadFailures()
      found.marks +=
        try failures.attempt(at: PathBytes(LibraryLayout.Folder.records.path)) {
          try marks(in: root, failures, &found.outdated)
        } ?? 0
      found.shows +=
        try failures.attempt(at: PathBytes(LibraryLayout.Folder.shows.path)) {
          try shows(in: root, failures)
        } ?? 0
    }
    return found
  }

  /// Takes over declarations of lost roots, and writes those of the store to the media. Files on a
  /// root that is there again are not lost.
  private func declarations() throws -> Int {
    let newer = try mediaRoots.newerDeclarations()
    if store.isDryRun { return newer.count }
    let run = Operation(tool: "clean", at: now)
    for (uuid, declaration) in newer.sorted(by: { $0.key < $1.key }) {
      let loss = RootLoss(root: uuid, run: run)
      var lost: [EpisodeID] = []
      if declaration.isLost, try !mediaRoots.isReachable(uuid) {
        try store.snapshot().summaries(.paths) { episode in
          if episode.parts.contains(where: { $0.root == uuid && $0.state != .removed }) {
            lost.append(episode.id)
          }
          return true
        }
      }
      // The declaration is last, so that an interrupted run is repeated.
      let batches = stride(from: 0, to: lost.count, by: VerificationRecorder.maxBatchSize)
      for start in batches {
        try store.update(.durable, room: .useReserve) { transaction in
          for id in lost[start...].prefix(VerificationRecorder.maxBatchSize) {
            guard let present = try transaction.episode(id), present.id == id else { continue }
            _ = loss.record(present, in: &transaction)
          }
        }
      }
      try store.update(.durable, room: .useReserve) { _ = loss.declare(declaration, in: &$0) }
    }
    mediaRoots.writeDeclarations()
    return newer.count
  }

  private func marks(
    in root: MediaRoot, _ failures: ReadFailures, _ outdated: inout Set<EpisodeID>
  ) throws -> Int {
    let snapshot = try store.snapshot()
    var count = 0
    for file in try root.files(below: LibraryLayout.Folder.records.path) {
      guard let id = LibraryLayout.episode(ofSidecar: file.path),
        let episode = try snapshot.episode(id), episode.id == id,
        let sidecar = try failures.attempt(
          at: file.path, { try Sidecar(of: id, below: root.folder) })
      else { continue }
      guard sidecar.restoringMarks(of: episode, now: now) != nil else {
        if sidecar.isOutdated(for: episode) { outdated.insert(id) }
        continue
      }
      count += 1
      try store.update(.durable, room: .useReserve) { transaction in
        guard let present = try transaction.episode(id), present.id == id,
          let restored = sidecar.restoringMarks(of: present, now: now)
        else { return }
        transaction.write(restored)
      }
    }
    return count
  }

  /// Takes over the records of shows that the store knows, or has episodes of.
  private func shows(in root: MediaRoot, _ failures: ReadFailures) throws -> Int {
    let snapshot = try store.snapshot()
    let lastRev = snapshot.lastRev
    var count = 0
    for slug in try ShowSidecar.slugs(in: root) {
      let path = PathBytes(LibraryLayout.sidecar(ofShow: slug))
      guard
        let sidecar = try failures.attempt(
          at: path, { try ShowSidecar(of: slug, below: root.folder) })
      else { continue }
      func restoring(_ records: some RecordLookup) throws -> RecordedShow? {
        let known = try RecordedShow(slug.description, in: records)
        guard try !known.isEmpty || !ShowSidecar.isObsolete(at: path, in: snapshot) else {
          return nil
        }
        return sidecar.restoring(
          known, lastRev: lastRev, now: now, mayRate: store.allowsRatingChanges)
      }
      do {
        guard try restoring(snapshot) != nil else { continue }
        count += 1
        try store.update(.durable, room: .useReserve) { transaction in
          if let restored = try restoring(transaction) { try transaction.restore(restored) }
        }
      } catch let failure as Failure where failure.code == .storeDamaged {
        // A record that cannot be decoded is reported by `vmx doctor`.
      }
    }
    return count
  }

  /// Takes over only the removals, durably, so that a fetch does not bring back what the user has
  /// removed. Without any, it lists the folders in the trash. Roots that cannot be read are
  /// skipped.
  ///
  /// - Throws: errors of the store.
  package func takeOverRemovals() throws -> Found {
    var found = Found()
    for root in try mediaRoots.presentRoots(skippingUnreadable: true) {
      let failures = ReadFailures()
      try failures.attempt(at: PathBytes(LibraryLayout.Folder.trash.path)) {
        found.removed.formUnion(try removals(in: root, failures))
      }
    }
    return found
  }
}
