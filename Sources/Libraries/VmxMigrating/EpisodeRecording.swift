import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// An episode is identified by keys in two groups (`EpisodeMatch`). Strong keys are ids of feeds and
// sites, URLs, and a show with a number or date. Weak keys are ids of catalogues and the digest of
// the video. A file name alone is less reliable than a record of the library, so it replaces no
// text of a record.

/// Finds the record of an episode by its identity keys, or creates it.
struct EpisodeRecording {
  /// An episode as recorded.
  struct Recorded {
    let episode: Episode
    let isChanged: Bool
    /// The result for all files if the user has removed the episode from the library, else nil.
    let removedResult: OperationResult?
    /// The fields of a known episode that were changed, by their names in the store.
    var changed: [String] = []
    /// The files that are stored as partial files of complete parts, to be published under the
    /// claim.
    var staged: [ImportedFile] = []
    /// The parts whose in-place files were recorded.
    var placed: Set<String> = []
    /// The claim of the episode, which the caller releases; nil if no file is held.
    var claim: Claim?
  }

  let episode: LegacyEpisode
  let migrator: Migrator
  let staging: Staging
  private let full: EpisodeImporter
  private let keys: [IdentityKey]
  private let digest: IdentityKey?

  /// The files that are migrated with one record.
  struct Files {
    let all: [SourceFile]
    let valid: [SourceFile]
    /// The sources to remove because the library already has their bytes, by part.
    let moved: [(part: String, path: FilePath)]

    var videoRefusal: Failure? { all.first { $0.part == PartRole.video.rawValue }?.refusal }
  }

  let files: Files

  /// Prepares the record of an episode with its staged files.
  ///
  /// - Parameter moved: the sources to remove because the library already has their bytes, by part.
  /// - Throws: errors of writing secrets.
  init(
    _ episode: LegacyEpisode, migrator: Migrator, staging: Staging, files: [SourceFile] = [],
    moved: [(part: String, path: FilePath)] = []
  ) throws {
    let video = files.first { $0.part == PartRole.video.rawValue }
    digest = video.map { IdentityKey.digest($0.found.sha256.hex) }
    keys = episode.keys + [digest].compactMap { $0 }
    full = try EpisodeImporter(
      exported: episode.compared, identityKeys: keys, isForeign: false,
      secrets: migrator.store.secrets)
    self.files = Files(all: files, valid: files.filter { $0.refusal == nil }, moved: moved)
    self.episode = episode
    self.migrator = migrator
    self.staging = staging
  }

  /// Renames the staged files to the partial files of the parts, and then records the episode.
  ///
  /// - Throws: `lock-busy`, and as `EpisodeImporter.upsert`.
  func record() throws -> Recorded {
    let store = migrator.store
    try store.prepare([episode.description.proposedID], keys)
    while true {
      guard !migrator.shouldStop() else { throw WorkEnded.interrupted }
      let snapshot = try store.snapshot()
      let importer = try importer(in: snapshot).importer
      let known = try importer.existing(in: snapshot)
      let missing = missing(in: known)
      do {
        let told = known.map { recordedSources(of: $0, in: snapshot) } ?? [:]
        guard !missing.isEmpty else { return try record(nil, told) }
        return try record(
          missing, of: known?.id ?? importer.newID(in: snapshot), isNew: known == nil, told)
      } catch is EpisodeImporter.Superseded {
        // Another thread or process has recorded it meanwhile.
      }
    }
  }

  private func record(
    _ missing: [SourceFile], of id: EpisodeID, isNew: Bool, _ told: [String: String]
  ) throws -> Recorded {
    let claim = try staging.claims.claim(id)
    do {
      var (recorded, held) = try EpisodeImporter.receive(
        missing.map(\.staged), under: claim, isNew: isNew, in: staging.root
      ) { received in try record(received, told) }
      (recorded.staged, recorded.claim) = (held, claim)
      return recorded
    } catch {
      staging.claims.release(claim)
      throw error
    }
  }

  /// Returns the staged files that the library's episode lacks.
  private func missing(in known: Episode?) -> [SourceFile] {
    if let known, known.want == .gone || episode.status == .removed { return [] }
    return missing(before: known).filter(\.isStaged)
  }

  private func record(
    _ received: EpisodeImporter.Received?, _ told: [String: String]
  ) throws -> Recorded {
    let now = migrator.clock.now
    let isFollowed = received != nil && migrator.method != .inPlace
    return try migrator.store.update(isFollowed ? .soon : .durable) { transaction in
      let (importer, isCopy) = try importer(in: transaction)
      // The library's record is better than an entry in a list of removed episodes, and is not
      // changed.
      if episode.isOnlyListed, let known = try importer.existing(in: transaction) {
        return Recorded(episode: known, isChanged: false, removedResult: nil)
      }
      let playedAt =
        try episode.hasMarks
        ? episode.playedAt(importer.existing(in: transaction), in: transaction, now: now) : nil
      let taken = try importer.upsert(into: &transaction, now: now, received: received) {
        adjust(&$0, isNew: $1 == nil, now: now)
        self.episode.mark(&$0, before: $1, playedAt)
      }
      let isGone = taken.episode.want == .gone && episode.status != .removed
      if var show = episode.show, !isGone {
        show.slug = taken.episode.id.show
        try transaction.describe(byNFO: show)
      }
      let isMoved = episode.recordPosition(
        of: taken.episode, before: taken.before, playedAt, in: &transaction)
      // The name of a further copy of a film changes nothing that a user sees.
      let isChanged = isMoved || taken.verdict != .unchanged && !(isCopy && taken.isOnlyEvidence)
      if !isGone || taken.before == nil {
        journal(
          taken.episode, before: taken.before, told, isChanged: isChanged, in: &transaction)
      }
      let placed = missing(before: taken.before).filter { !$0.isStaged }.map(\.part)
      return Recorded(
        episode: taken.episode, isChanged: isChanged,
        removedResult: isGone ? .unchanged(.gone, hint: taken.episode.removedHint) : nil,
        changed: isChanged ? taken.changedFields(hasMoved: isMoved) : [], placed: Set(placed))
    }
  }

  /// Returns the sound files of parts for which the episode had no file.
  func missing(before: Episode?) -> [SourceFile] {
    files.valid.filter { file in
      before?.parts.contains { $0.name == file.part && $0.hasFile } != true
    }
  }

  /// Applies data that a description cannot express: the state in the other program, in-place
  /// files, and refused files. A refused video is recorded as damaged, and another part that only a
  /// refused file provides is not recorded.
  private func adjust(_ episode: inout Episode, isNew: Bool, now: Timestamp) {
    let refused = files.all.filter { $0.refusal != nil }.map(\.part)
    episode.parts.removeAll { part in
      part.role != .video && part.state == .new && part.variants.isEmpty
        && refused.contains(part.name)
    }
    if isNew {
      episode.want = self.episode.status.want
      for index in episode.parts.indices where episode.parts[index].role == .video {
        if self.episode.status == .removed { episode.parts[index].enter(.removed) }
        guard let refusal = files.videoRefusal else { continue }
        episode.parts[index].enter(.damaged)
        episode.parts[index].code = refusal.code
        episode.parts[index].message = refusal.summary
      }
    }
    for file in files.valid where !file.isStaged {
      guard
        let index = episode.parts.firstIndex(where: { $0.name == file.part && !$0.hasFile }),
        let path = file.path.text(below: staging.root.folder)
      else { continue }
      let before = episode.parts[index].state
      episode.parts[index].adopt(file.found, at: path, of: staging.root.uuid, now: now)
      episode.appendTransition(Transition(at: now, part: file.part, from: before, to: .ready))
    }
  }

  /// Returns the importer of the episode. If only its file name identifies it, and the library has
  /// exactly one with the same bytes, it is the importer of a copy.
  private func importer(
    in library: some EpisodeLookup
  ) throws -> (importer: EpisodeImporter, isCopy: Bool) {
    guard let digest, let known = try nameOfKnown(digest, in: library) else { return (full, false) }
    let copy = try episode.compared.asCopy(of: known, digest, in: library)
    // The keys of its folder too, by which the next run and its plan find the episode.
    let folder = copy.fileName == nil ? [] : episode.keys
    let keys = copy.identityKeys.filter { !episode.withheld.contains($0) } + folder
    let importer = try EpisodeImporter(
      exported: copy, identityKeys: keys + episode.identity + [digest], isForeign: false,
      secrets: migrator.store.secrets)
    return (importer, true)
  }

  /// Returns the only episode of the library with the same bytes, if the file name is the only
  /// other evidence, and does not stand for another episode.
  private func nameOfKnown(
    _ digest: IdentityKey, in library: some EpisodeLookup
  ) throws -> Episode? {
    guard episode.doubts.contains(.nameOnly) else { return nil }
    let same = try EpisodeMatch(of: episode.compared, [digest], in: library).episodes
    guard same.count == 1, let known = same.first, known.want != .gone else { return nil }
    let named = try EpisodeMatch(of: episode.compared, episode.keys, in: library).episodes
    return named.allSatisfy { $0.id == known.id } ? known : nil
  }
}

extension LegacyEpisode {
  /// Whether only a list names the episode, such as one of removed or downloaded episodes.
  var isOnlyListed: Bool { status == .removed || doubts.contains(.onlyInArchive) }

  /// The keys that identify or suggest the episode.
  var keys: [IdentityKey] {
    compared.identityKeys.filter { !withheld.contains($0) } + identity + hints
  }

  /// The description with what the table of evidence compares beside it: the name and the size of
  /// the file.
  var compared: EpisodeDescription {
    var description = description
    if description.origin == .person { description.origin = .program }
    description.isOnlyOfTitle = true
    guard let file = files.first(where: { $0.part == PartRole.video.rawValue }) else {
      return description
    }
    description.sizes.insert(file.size.bytes)
    if file.contents == nil {
      description.fileName = FilePath(CompanionFileName.withoutQuery(file.path.string)).stem
    }
    return description
  }

  /// Reduces an episode that has only marks to those of its match in the library, so that they
  /// change nothing else.
  ///
  /// - Returns: false if it has only marks and the library does not have it.
  mutating func reduceToMarks(of known: Episode?) -> Bool {
    guard isOnlyMarks else { return true }
    guard let known else { return false }
    let marks = (description.isWatched, description.isKept)
    description = EpisodeDescription()
    description.id = known.id
    (description.isWatched, description.isKept) = marks
    // An id alone is a proposal, and evidence for nothing.
    (identity, hints, withheld) = ([.ownID(known.id)], [], [])
    return true
  }

  /// Returns the library's episode that matches this one; nil if there is none.
  ///
  /// - Throws: `ambiguous`, errors of the store.
  func match(in snapshot: StoreSnapshot) throws -> Episode? {
    let known = try EpisodeMatch(of: compared, keys, in: snapshot).episodes
    guard known.count < 2 else {
      throw Failure(.ambiguous, "'\(record)' fits '\(known[0].id)' and '\(known[1].id)'")
    }
    return known.first
  }
}

extension EpisodeImporter.Imported {
  /// The names of the fields of a known episode that the description changes; empty for a new one.
  ///
  /// - Parameter hasMoved: whether the playback position, which is a record of its own, changes.
  func changedFields(hasMoved: Bool) -> [String] {
    guard let before, verdict != .added else { return [] }
    let (old, new) = (before.json.object, episode.json.object)
    let names = Episode.Field.allCases.filter { field in
      field != .by && field != .trail && old?[field.rawValue] != new?[field.rawValue]
    }
    return names.map(\.rawValue) + (hasMoved ? ["position_ms"] : [])
  }
}

extension LegacyEpisode.Status {
  /// The want of a new episode.
  fileprivate var want: Want {
    switch self {
    case .known, .missing: .none
    case .requested, .downloaded: .fetch
    case .removed: .gone
    }
  }
}

extension Part {
  /// Makes the part ready with a complete file at its present path.
  fileprivate mutating func adopt(
    _ found: FoundBytes, at path: String, of root: String, now: Timestamp
  ) {
    enter(.ready)
    self.root = root
    self.path = path
    size = found.size
    sha256 = found.sha256
    proof = found.proof
    verifiedAt = now
    original = nil
  }
}

extension FilePath {
  /// Returns the path relative to a folder; nil if it is not below the folder, or not UTF-8.
  func text(below folder: FilePath) -> String? {
    let start = folder.bytes + [UInt8(ascii: "/")]
    guard bytes.starts(with: start) else { return nil }
    return String(validating: bytes.dropFirst(start.count), as: UTF8.self)
  }
}
