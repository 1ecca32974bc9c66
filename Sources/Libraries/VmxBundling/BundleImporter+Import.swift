import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension BundleImporter {
  /// Whether a file must be staged: the record matches no episode of the library, or one that needs
  /// it.
  func needsFile(_ path: String, _ record: JSONObject) throws -> Bool {
    let bundled: BundledEpisode
    do throws(Failure) {
      bundled = try BundledEpisode(record)
    } catch {
      return false
    }
    return try bundled.files.first { $0.path == path }.map { try wants($0, of: bundled) } ?? false
  }

  private func wants(_ file: BundledEpisode.File, of bundled: BundledEpisode) throws -> Bool {
    let snapshot = try store.snapshot()
    let matches = try EpisodeMatch(of: bundled.description, bundled.identity, in: snapshot).episodes
    return try matches.isEmpty || matches.contains { try needs(file, of: bundled, $0) }
  }

  /// Refuses an episode with a file that cannot be imported.
  ///
  /// An import checks the video before anything is recorded or replaced, so that no episode without
  /// a video is left, and the other files when it publishes them. A dry run has no copies, and
  /// checks the first bytes of all files that an import would copy.
  private func check(_ bundled: BundledEpisode, _ contents: BundleContents) throws {
    for file in bundled.files {
      let isRelevant =
        store.isDryRun
        ? try wants(file, of: bundled)
        : file.role == .video && contents.stagedCopy(of: file.path) != nil
      if isRelevant, let failure = contents.kindFailure(of: file) { throw failure }
    }
  }

  /// Whether an episode of the library needs a file of the bundled episode: it lacks the file, or
  /// its video differs and the policy is not `keep`. An episode that is replaced, or kept next to
  /// the bundled one, contributes no files to it.
  private func needs(
    _ file: BundledEpisode.File, of bundled: BundledEpisode, _ known: Episode
  ) throws -> Bool {
    if known.want == .gone { return try replacement(of: known, by: bundled) != nil }
    if known.conflicts(with: bundled) { return options.conflict != .keep }
    return try !isAtHand(file, of: known)
  }

  /// Whether the library has the bytes of a file on a root that can be reached.
  private func isAtHand(_ file: BundledEpisode.File, of known: Episode) throws -> Bool {
    guard known.hasPart(file.part, file.sha256) else { return false }
    return try !known.parts.contains { try $0.name == file.part && mediaRoots.isOutOfReach($0) }
  }

  /// Records the episode if there is anything to import.
  ///
  /// - Parameter batch: the files that are still to be published; nil for a dry run.
  /// - Returns: nil if the episode matches one of the batch, whose files must be published first.
  func step(
    of read: BundledEpisode.Read, _ contents: BundleContents, after batch: PublicationBatch?
  ) -> PublicationBatch.Step? {
    do {
      let bundled = try read.episode.get()
      if let failure = contents.failure(of: bundled) {
        return .ended(EpisodeResult(read.id, .failed(failure)))
      }
      try check(bundled, contents)
      return try importEpisode(bundled, contents, after: batch)
    } catch is PublicationBatch.Overlap {
      return nil
    } catch {
      return .ended(EpisodeResult(read.id, OperationResult(Failure(error).ofFile)))
    }
  }

  private func importEpisode(
    _ bundled: BundledEpisode, _ contents: BundleContents, after batch: PublicationBatch?
  ) throws -> PublicationBatch.Step {
    var bundled = bundled
    var known = try match(&bundled, after: batch)
    var replaced: Episode?
    if let other = known, let entry = try replacement(of: other, by: bundled) {
      // An earlier run was interrupted while it replaced the episode.
      if store.isDryRun { return .ended(EpisodeResult(other, .planned)) }
      try operations.remove(other.id, bundled.video)
      (known, replaced) = (nil, entry.before)
    } else if known == nil, options.conflict == .replace {
      // It was interrupted after that, and before the new episode was recorded.
      replaced = try replacement(of: nil, by: bundled)?.before
    }
    if let replaced { bundled.description.copy(marksOf: replaced) }
    if let known, known.want == .gone {
      return .ended(EpisodeResult(known, .unchanged(.gone, hint: known.removedHint)))
    }
    // An import requests each episode, unless the user has set its want to none.
    if known?.want == Want.none { bundled.description.want = .fetch }
    if let other = known, other.conflicts(with: bundled) {
      switch options.conflict {
      case .keep: return .ended(EpisodeResult(other, .unchanged(.otherBytes)))
      case .replace:
        if store.isDryRun { return .ended(EpisodeResult(other, .planned)) }
        // The record is removed too, so that no field of the old episode remains in the new one.
        bundled.description.copy(marksOf: other)
        try operations.remove(other.id, bundled.video)
        (known, replaced) = (nil, other)
      // The keys belong to the library's episode, so the digest alone identifies the bundled one.
      case .both:
        bundled.identity = [bundled.video].compactMap { $0.map { .digest($0.hex) } }
        known = try match(&bundled, after: batch)
      }
    }
    if let other = known, !store.isDryRun {
      known = try mediaRoots.releaseUnreachable(bundled.digests, of: other, now: clock.now)
    }
    let missing = try bundled.files.filter { file in
      try !(known.map { try isAtHand(file, of: $0) } ?? false)
    }
    if store.isDryRun {
      let id = known?.id ?? bundled.description.proposedID
      return .ended(EpisodeResult(id, missing.isEmpty ? .unchanged() : .planned, episode: known))
    }
    return try record(
      bundled, files: missing, contents: contents, isNew: known == nil,
      isReplacement: replaced != nil)
  }

  /// Returns the journal entry of a removal by which an earlier run has begun to replace an episode
  /// by the bundled one; nil if there is none.
  ///
  /// - Parameter known: the episode whose removal has not ended; nil for one whose record is gone.
  ///
  /// - Throws: errors of the store.
  private func replacement(
    of known: Episode?, by bundled: BundledEpisode
  ) throws -> JournalEntry? {
    guard options.conflict == .replace, let video = bundled.video,
      known?.want == .gone || known == nil
    else { return nil }
    let keys = Set(bundled.identity.map(\.key))
    return try store.snapshot().replacements(by: video).last { entry in
      guard entry.run.tool == tools.run.tool, let before = entry.before else { return false }
      if let known { return entry.state == .begun && before.id == known.id }
      return before.id == bundled.description.proposedID
        || before.identity.contains { keys.contains($0.key) }
    }
  }

  /// Records the episode.
  ///
  /// - Throws: `lock-busy` if the library lost a file since the bundle was read, or if another
  ///   process holds the claim of the episode; `PublicationBatch.Overlap`.
  private func record(
    _ bundled: BundledEpisode, files: [BundledEpisode.File], contents: BundleContents,
    isNew: Bool, isReplacement: Bool
  ) throws -> PublicationBatch.Step {
    let staged = try files.map { file in
      guard let staged = try contents.staged(file) else {
        throw Failure(
          .lockBusy,
          "'\(file.part)' of '\(bundled.description.proposedID)' was changed in the meantime",
          hint: "run the same import again")
      }
      return staged
    }
    let importer = try EpisodeImporter(
      exported: bundled.description, identityKeys: bundled.identity, secrets: store.secrets)
    try importer.prepare(in: store)
    if isNew, !staged.isEmpty { return try record(importer, staged, isReplacement: isReplacement) }
    let taken = try store.update(files.isEmpty ? .durable : .soon) { transaction in
      let taken = try importer.upsert(into: &transaction, now: clock.now)
      journal(taken, staged, in: &transaction)
      return taken
    }
    guard !staged.isEmpty else {
      let isChanged = taken.verdict != .unchanged && !taken.isOnlyEvidence
      return .ended(EpisodeResult(taken.episode, OperationResult(isChanged: isChanged)))
    }
    return .recorded(taken.episode.id, staged, nil)
  }

  /// Records a new episode after renaming its staged files to the partial files of its parts.
  ///
  /// - Parameter isReplacement: whether it has replaced another episode, whose journal entry also
  ///   undoes this one.
  private func record(
    _ importer: EpisodeImporter, _ staged: [ImportedFile], isReplacement: Bool
  ) throws -> PublicationBatch.Step {
    let root = try mediaRoots.forNewFiles(replacesDead: true)
    let id = try importer.newID(in: store.snapshot())
    guard let claim = try store.claims.claim(id) else {
      throw Failure.inUse(id)
    }
    do {
      let (_, held) = try EpisodeImporter.receive(staged, under: claim, isNew: true, in: root) {
        received in
        try store.update(.soon) { transaction in
          let taken = try importer.upsert(
            into: &transaction, now: clock.now, received: received)
          if !isReplacement { journal(taken, staged, in: &transaction) }
        }
      }
      return .recorded(id, held, claim)
    } catch {
      claim.release()
      if error is EpisodeImporter.Superseded { throw PublicationBatch.Overlap() }
      throw error
    }
  }

  /// Adds the journal entry with which the user can undo the import of an episode.
  private func journal(
    _ taken: EpisodeImporter.Imported, _ staged: [ImportedFile],
    in transaction: inout StoreTransaction
  ) {
    guard taken.verdict != .unchanged && !taken.isOnlyEvidence || !staged.isEmpty else { return }
    let before = taken.verdict == .added ? nil : taken.before ?? taken.episode
    let digests = staged.map { ($0.part, $0.found.sha256) }
    let addition = JournalEntry.Addition(
      to: taken.episode.id, parts: staged.map(\.part),
      digests: Dictionary(digests, uniquingKeysWith: { first, _ in first }),
      marks: before.map { taken.episode.changedMarks(since: $0) } ?? JSONObject())
    let entry = JournalEntry(tools.run, .addition(addition, before: before), reason: "added")
    transaction.write(entry.stored)
  }

  /// Returns the library's episode that matches the bundled one; nil if there is none. If several
  /// match, the video's digest selects one, and becomes the only identity key.
  ///
  /// - Throws: `ambiguous`, `PublicationBatch.Overlap`, the errors of the store.
  private func match(
    _ bundled: inout BundledEpisode, after batch: PublicationBatch?
  ) throws -> Episode? {
    let snapshot = try store.snapshot()
    guard batch?.recorded.isDisjoint(with: snapshot.find(bundled.identity)) ?? true else {
      throw PublicationBatch.Overlap()
    }
    // Two records of one bundle are always different episodes, even if their bytes are equal.
    let match = try EpisodeMatch(
      of: bundled.description, bundled.identity, in: snapshot, excluding: batch?.matched ?? [])
    bundled.identity = match.keys
    let matches = match.episodes
    let key = bundled.video.map { IdentityKey.digest($0.hex) }
    if matches.count == 1, let key, matches[0].identity.filter({ !$0.isOfRecord }) == [key] {
      // It was kept beside an episode that has the other keys.
      bundled.identity = [key]
    }
    if matches.count == 1, let known = matches.first, let key, bundled.description.origin == .name,
      known.readyVideo?.sha256 == bundled.video, known.want != .gone
    {
      bundled.description = try bundled.description.asCopy(of: known, key, in: snapshot)
      bundled.identity = bundled.description.identityKeys + [key]
    }
    guard matches.count > 1 else { return matches.first }
    if let video = bundled.video, let key {
      // An episode that was removed does not hold the video, but keeps the key of its digest.
      let same =
        matches.first { $0.hasPart(PartRole.video.rawValue, video) }
        ?? matches.first { $0.want == .gone && $0.identity.contains(key) }
      if let same {
        bundled.identity = [key]
        return same
      }
    }
    let (first, second) = (matches[0].id, matches[1].id)
    throw Failure(
      .ambiguous, "'\(bundled.description.proposedID)' matches both '\(first)' and '\(second)'",
      hint: "'vmx rm --forget \(first)' or 'vmx rm --forget \(second)' leaves only one of them")
  }
}

extension EpisodeDescription {
  /// Copies the id and the marks of the replaced episode; marks of the bundle take precedence.
  fileprivate mutating func copy(marksOf replaced: Episode) {
    id = replaced.id
    isKept = isKept ?? replaced.isKept
    isWatched = isWatched ?? replaced.isWatched
    isMeteredOK = isMeteredOK ?? replaced.isMeteredOK
    priority = priority ?? replaced.priority
  }
}

extension Episode {
  /// Whether its video is ready and has other bytes than that of a bundled episode.
  fileprivate func conflicts(with bundled: BundledEpisode) -> Bool {
    guard let video = bundled.video else { return false }
    return parts.contains { $0.role == .video && $0.state == .ready && $0.sha256 != video }
  }
}

extension BundledEpisode {
  /// The digests of its files, by the names of their parts.
  fileprivate var digests: [String: Digest] {
    Dictionary(
      files.compactMap { file in file.sha256.map { (file.part, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
