import SystemPackage
import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Plans the purges of the trash of each root, and the removal of the episodes that the rules
  /// select.
  ///
  /// Roots on one disk are planned together, because space that is freed in one root is free for
  /// all.
  ///
  /// - Throws: `free-unreachable` if the rules cannot free the requested space on a disk, and the
  ///   errors of the store.
  func retentionSteps(_ scans: [RootScan]) throws -> [CleaningStep] {
    let roots = scans.compactMap(\.root)
    var disks: [UInt64: [MediaRoot]] = [:]
    var steps: [CleaningStep] = []
    for root in roots {
      let failures = ReadFailures()
      // A root may be a symbolic link; the disk of its target counts.
      let facts = try failures.attempt(at: PathBytes([])) {
        try FileFacts.of(realPath(of: root.folder) ?? root.folder)
      }
      if let facts { disks[facts.device, default: []].append(root) }
      steps += failures.steps(root)
    }
    var needs: [SpaceRequirement] = []
    for group in disks.values.sorted(by: { $0[0].uuid < $1[0].uuid }) {
      var freed: Int64 = 0
      var isWhole = true
      for root in group {
        let failures = ReadFailures()
        steps += try trashSteps(of: root, &freed, failures)
        steps += failures.steps(root)
        isWhole = isWhole && failures.entries.isEmpty
      }
      // A trash that could not be read completely may contain the requested space.
      guard isWhole else { continue }
      let failures = ReadFailures()
      let free = try failures.attempt(at: PathBytes([])) { try freeSpace(at: group[0].folder) }
      steps += failures.steps(group[0])
      guard let free else { continue }
      needs.append(SpaceRequirement(roots: group, free: free.bytes, purged: freed))
    }
    let present = Set(roots.map(\.uuid))
    var removals = options.rules.isEmpty ? [] : try ruleSteps(needs, present)
    let chosen = Set(removals.map(\.episode))
    removals += try feedSteps(present).filter { !chosen.contains($0.episode) }
    let (requests, watched) = try showSteps(present)
    let all = Set(removals.map(\.episode))
    return steps + removals + watched.filter { !all.contains($0.episode) } + requests
  }

  /// Returns the number of entries in the trash of all reachable roots, their size in bytes, and
  /// the time from which the oldest one is purged; nil if the trash is empty. Folders that cannot
  /// be read are ignored.
  package func trashContent() throws -> (count: Int, bytes: Int64, purgedFrom: Timestamp)? {
    var entries: [TrashPlan.Entry] = []
    for root in try mediaRoots.presentRoots() {
      entries += try TrashListing(Trash(root: root), ReadFailures(), now: now).entries
    }
    guard let oldest = entries.map(\.at).min() else { return nil }
    return (
      entries.count, entries.map(\.bytes).clampedSum(),
      oldest.adding(milliseconds: options.trash.keep)
    )
  }

  private func trashSteps(
    of root: MediaRoot, _ freed: inout Int64, _ failures: ReadFailures
  ) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    let trash = Trash(root: root)
    let journaled = { (entry: TrashEntry) in
      snapshot.record(.step, entry.step).flatMap { JournalEntry($0) }?.run.at
    }
    let listing = try TrashListing(trash, failures, now: now, journaled: journaled) { entry in
      // The journal entry is written before the list, so it is in a snapshot made after the list
      // was read. It is missing only if the store was lost, or if no file was moved.
      guard
        let record = try snapshot.record(.step, entry.step)
          ?? store.snapshot().record(.step, entry.step)
      else {
        return try !trash.hasFiles(entry)
      }
      let state = JournalEntry(record)?.state
      return state == .undone || state == .purged
    }
    let before = freed
    let plan = try failures.attempt(at: PathBytes([])) {
      let free = try freeSpace(at: root.folder) + ByteCount(clamping: before)
      return TrashPlan(options.trash, in: root.uuid, now: now).steps(
        listing.entries, disk: try diskSize(at: root.folder), free: free,
        target: options.rules.free,
        purgesAll: options.emptiesTrash)
    }
    freed = freed.addingClamped(plan?.freed ?? 0)
    let purges = plan?.steps ?? []
    let purged = Set(purges.compactMap(\.name))
    var steps = listing.unlisted.filter { !purged.contains($0.path.trashName ?? "") }
      .map {
        CleaningStep(
          in: root, file: $0, explanation: "its trash folder has no list",
          CleaningAction.unknownFile)
      }
    steps += draftSteps(root, listing.temporaryFiles)
    let empty = listing.abandoned.map {
      CleaningStep(purging: $0, in: root.uuid, explanation: "empty folder left by a crash")
    }
    let closed = listing.closed.map {
      CleaningStep(purging: $0, in: root.uuid, explanation: "list without files left by a crash")
    }
    return steps + purges + closed + empty
  }

  private func ruleSteps(
    _ needs: [SpaceRequirement], _ present: Set<String>
  ) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    func retention(_ rules: RetentionRules, _ roots: Set<String>) throws -> Retention {
      try Retention(rules, in: snapshot, roots: roots, now: now)
    }
    guard let target = options.rules.free else {
      return try retention(options.rules, present).choices().map {
        step(removing: $0, by: options.rules)
      }
    }
    return try needs.flatMap { need in
      let missing = need.missing(to: target)
      guard missing > 0 else { return [CleaningStep]() }
      let uuids = Set(need.roots.map(\.uuid))
      let choices = try retention(options.rules, uuids).choices(freeing: missing, links: need.links)
      let removable = choices.map(\.bytes).clampedSum()
      guard removable >= missing else {
        var all = options.rules
        all.freesUnwatched = true
        let unwatched = try retention(all, uuids).choices(freeing: .max, links: need.links)
          .map(\.bytes).clampedSum()
        throw need.unreachable(target, removable: removable, unwatched: unwatched - removable)
      }
      return choices.map { step(removing: $0, by: options.rules) }
    }
  }

  /// Plans the removals by the rules of feeds.
  private func feedSteps(_ present: Set<String>) throws -> [CleaningStep] {
    guard options.appliesFeedRules else { return [] }
    let snapshot = try store.snapshot()
    var rules: [RetentionRules] = []
    var replacing: [Subscription] = []
    snapshot.records(of: .feed) { record in
      do throws(Failure) {
        let feed = try Subscription(id: record.id, record: record.fields)
        if let rule = RetentionRules(feed) { rules.append(rule) }
        if feed.onChange == .fetch { replacing.append(feed) }
      } catch {
        // 'vmx feed' reports the record; an unreadable rule removes nothing.
      }
      return true
    }
    var steps = try rules.flatMap { rules in
      try Retention(rules, in: snapshot, roots: present, now: now).choices().map {
        step(removing: $0, by: rules)
      }
    }
    let chosen = Set(steps.map(\.episode))
    for feed in replacing {
      steps += try replacedSteps(of: feed, in: snapshot, present).filter {
        !chosen.contains($0.episode)
      }
    }
    return steps
  }

  func step(
    removing choice: Retention.Choice, by rules: RetentionRules
  ) -> CleaningStep {
    // In the trash, the files would still occupy the space that is to be freed.
    CleaningStep(
      .remove(
        EpisodeRevision(choice.id, rev: choice.rev), rules.reason, isPermanent: rules.free != nil),
      explanation: choice.explanation, bytes: ByteCount(clamping: choice.bytes))
  }

  /// Plans the removal of journal entries that `vmx undo` can no longer revert, because the trash
  /// has none of their files.
  func stepRowSteps(_ present: Set<String>) throws -> [CleaningStep] {
    let limit = now.adding(milliseconds: -options.trash.keep)
    return try store.snapshot().journalEntries().compactMap { entry in
      guard entry.run.at < limit, entry.state != .begun, entry.roots.allSatisfy(present.contains)
      else {
        return nil
      }
      return CleaningStep(.forgetStep(entry: entry.id), explanation: "too old to undo")
    }
  }

  /// Plans the removal of cache files that were not used for a long time.
  func cacheSteps() throws -> [CleaningStep] {
    guard let cache = options.cache, options.roots.isEmpty else { return [] }
    var steps: [CleaningStep] = []
    var errors: [FileError] = []
    do throws(FileError) {
      guard try FileFacts.of(cache)?.isFolder == true else { return [] }
      errors = forEachFile(below: cache) { path, facts in
        if facts.isOlder(than: CleaningOptions.minCacheAge, at: now) {
          steps.append(
            CleaningStep(cached: UnrecordedFile(path: PathBytes(path.bytes), facts: facts)))
        }
        return true
      }
    } catch {
      errors = [error]
    }
    steps.sort { $0.id < $1.id }
    return errors.filter { !$0.isOfVanished }.map { CleaningStep(unreadableCache: $0) } + steps
  }
}

/// The space on one disk before the rules remove episodes.
private struct SpaceRequirement {
  /// The roots on the disk.
  let roots: [MediaRoot]
  /// The number of free bytes.
  let free: Int64
  /// The number of bytes that the purge of the trash frees.
  let purged: Int64

  /// The number of bytes that episodes must free; zero or less if none must.
  func missing(to target: ByteCount) -> Int64 {
    target.bytes.addingClamped(-free).addingClamped(-purged)
  }

  /// Returns the file at a path and the number of its hard links; nil for none.
  func links(_ uuid: String, _ path: String) -> (file: FreedSpace.FileID, count: Int)? {
    guard let root = roots.first(where: { $0.uuid == uuid }) else { return nil }
    do throws(FileError) {
      guard let facts = try FileFacts.of(root.file(at: PathBytes(path))), facts.isRegular else {
        return nil
      }
      return (FreedSpace.FileID(device: facts.device, inode: facts.inode), facts.links)
    } catch {
      // It is not certain that the removal of this file frees anything.
      return nil
    }
  }

  /// Returns the `free-unreachable` failure.
  ///
  /// - Parameters:
  ///   - removable: the number of bytes of all candidates.
  ///   - unwatched: the number of bytes that unwatched episodes would add.
  func unreachable(_ target: ByteCount, removable: Int64, unwatched: Int64) -> Failure {
    func text(_ bytes: Int64) -> String { ByteCount(clamping: bytes).forPeople }
    let reach = free.addingClamped(purged).addingClamped(removable)
    return Failure(
      .freeUnreachable,
      "at most \(text(reach)) can be freed below '\(roots[0].folder)', not \(target.forPeople): "
        + "\(text(free)) free, \(text(purged)) in the trash, \(text(removable)) in removable episodes",
      hint: unwatched > 0
        ? "request less, or add '--unwatched' for \(text(unwatched)) of unwatched episodes"
        : "request less; kept episodes and favourite shows are not removed")
  }
}

extension CleaningStep {
  fileprivate init(cached file: UnrecordedFile) {
    self.init(
      .dropCache(file.path, file.mark), explanation: "not used for 30 days",
      bytes: ByteCount(clamping: file.facts.size))
  }

  fileprivate init(unreadableCache error: FileError) {
    self.init(.unreadableCache(error.path.string), explanation: "unreadable cache file")
    failure = Failure(error)
  }
}

extension PathBytes {
  /// The name of the trash folder that contains the path.
  fileprivate var trashName: String? {
    let components = displayText.split(separator: "/")
    return components.count > 2 ? String(components[2]) : nil
  }
}
