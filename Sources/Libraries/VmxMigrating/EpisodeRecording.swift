import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// Identity by evidence, as `EpisodeMatch` weighs it: ids of feeds and sites, addresses, show with
// number or day; then ids of catalogues and the digest of the video. A name alone tells less than a
// record of the library, so it changes none.

/// The record of one episode: found by its evidence, or made.
struct EpisodeRecording {
  /// An episode as recorded.
  struct Recorded {
    let episode: Episode
    let isChanged: Bool
    /// The result for all files of an episode that the user has removed from the library.
    let gone: OperationResult?
  }

  private let episode: LegacyEpisode
  private let migrator: Migrator

  init(_ episode: LegacyEpisode, _ migrator: Migrator) {
    self.episode = episode
    self.migrator = migrator
  }

  /// Records the episode.
  ///
  /// - Throws: as `EpisodeImporter.take`.
  func record(_ staged: [SourceFile]) throws -> Recorded {
    let video = staged.first { $0.part == PartRole.video.rawValue }
    let digest = video.map { IdentityKey.digest($0.found.sha256.hex) }
    let (store, now) = (migrator.store, migrator.clock.now)
    let keys = episode.keys + [digest].compactMap { $0 }
    let full = try importer(episode.description, keys)
    let files = try importer(episode.description.withoutTexts, [digest].compactMap { $0 })
    try store.prepare([episode.description.proposedID], keys)
    return try store.update(staged.isEmpty ? .durable : .soon) { transaction in
      let hasOnlyName = try digest.map { try isNameOfKnown($0, in: transaction) } ?? false
      let importer = hasOnlyName ? files : full
      let before = try importer.present(in: &transaction)
      // A list of what was removed tells less of an episode than the library does.
      if let before, episode.standing == .removed {
        return Recorded(episode: before, isChanged: false, gone: nil)
      }
      let taken = try importer.take(into: &transaction, now: now)
      journal(staged, taken.episode, before: before, in: &transaction)
      guard taken.verdict == .added else {
        let isGone = taken.episode.want == .gone && episode.standing != .removed
        return Recorded(
          episode: taken.episode, isChanged: taken.verdict != .unchanged,
          gone: isGone ? .unchanged(.gone, hint: taken.episode.removedHint) : nil)
      }
      var added = taken.episode
      added.want = episode.standing.want
      for index in added.parts.indices where added.parts[index].role == .video {
        if episode.standing == .removed { added.parts[index].enter(.removed) }
        guard let refusal = video?.refusal else { continue }
        added.parts[index].enter(.damaged)
        added.parts[index].code = refusal.code
        added.parts[index].message = refusal.summary
      }
      let isAsImported = added == taken.episode
      return Recorded(
        episode: isAsImported ? added : transaction.recorded(added), isChanged: true, gone: nil)
    }
  }

  /// Records files that lie below the root already.
  ///
  /// - Throws: `name-taken` if another episode has one of the files, errors of the store.
  func place(_ files: [SourceFile], of record: Episode, _ root: MediaRoot) throws -> Episode {
    try migrator.store.update(.durable) { transaction in
      guard var episode = try transaction.episode(record.id) else {
        throw Failure.noSuchEpisode("\(record.id)")
      }
      for file in files {
        guard let index = episode.parts.firstIndex(where: { $0.name == file.part }),
          let path = file.path.text(below: root.folder)
        else { continue }
        let before = episode.parts[index].state
        episode.parts[index].take(file.found, at: path, of: root.uuid, now: migrator.clock.now)
        episode.remember(
          Transition(at: migrator.clock.now, part: file.part, from: before, to: .ready))
      }
      return transaction.recorded(episode)
    }
  }

  /// Adds the entry by which the migration of the episode can be undone.
  private func journal(
    _ staged: [SourceFile], _ episode: Episode, before: Episode?,
    in transaction: inout StoreTransaction
  ) {
    let files = staged.filter { $0.refusal == nil }
    guard before == nil || !files.isEmpty, episode.want != .gone || before == nil else { return }
    let moved = migrator.method == .move ? files : []
    let addition = JournalEntry.Addition(
      to: episode.id, parts: files.map(\.part),
      sources: Dictionary(
        moved.map { ($0.part, $0.path.string) }, uniquingKeysWith: { first, _ in first }),
      isInPlace: migrator.method == .inPlace)
    transaction.put(JournalEntry(migrator.run, addition, before: before).record)
  }

  /// Whether only the name tells of the episode, and one with the same bytes is there: then it gets
  /// the files, and keeps its titles.
  private func isNameOfKnown(
    _ digest: IdentityKey, in transaction: StoreTransaction
  ) throws -> Bool {
    guard episode.doubts.contains(.nameOnly),
      try EpisodeMatch(of: episode.description, episode.keys, in: transaction).episodes.isEmpty
    else { return false }
    let known = try EpisodeMatch(of: episode.description, [digest], in: transaction).episodes
    return known.count == 1 && known[0].want != .gone
  }

  private func importer(
    _ description: EpisodeDescription, _ identity: [IdentityKey]
  ) throws -> EpisodeImporter {
    try EpisodeImporter(
      exported: description, identity: identity, isForeign: false, secrets: migrator.store.secrets)
  }
}

extension LegacyEpisode {
  /// The keys that name or suggest it.
  fileprivate var keys: [IdentityKey] {
    description.evidence.filter { !withheld.contains($0) } + identity + hints
  }

  /// Returns the episode of the library that this one is; nil if there is none.
  ///
  /// - Throws: `ambiguous`, errors of the store.
  func match(in snapshot: StoreSnapshot) throws -> Episode? {
    let known = try EpisodeMatch(of: description, keys, in: snapshot).episodes
    guard known.count < 2 else {
      throw Failure(.ambiguous, "'\(record)' fits '\(known[0].id)' and '\(known[1].id)'")
    }
    return known.first
  }
}

extension EpisodeDescription {
  /// The description of the files alone.
  fileprivate var withoutTexts: EpisodeDescription {
    var description = self
    (description.title, description.show, description.showTitle) = (nil, nil, nil)
    (description.season, description.number, description.date) = (nil, nil, nil)
    (description.summary, description.duration, description.language) = (nil, nil, nil)
    return description
  }
}

extension LegacyEpisode.Standing {
  /// The want of a new episode.
  fileprivate var want: Want {
    switch self {
    case .known, .lost: .none
    case .requested, .held: .fetch
    case .removed: .gone
    }
  }
}

extension Part {
  /// Records a whole file at its place.
  fileprivate mutating func take(
    _ found: FoundBytes, at path: String, of root: String, now: Timestamp
  ) {
    enter(.ready)
    self.root = root
    self.path = path
    size = found.size
    sha256 = found.sha256
    proof = found.proof
    proven = now
    original = nil
  }
}

extension FilePath {
  /// The path below a folder; nil for one elsewhere, or for one that is not UTF-8.
  func text(below folder: FilePath) -> String? {
    let start = folder.bytes + [UInt8(ascii: "/")]
    guard bytes.starts(with: start) else { return nil }
    return String(validating: bytes.dropFirst(start.count), as: UTF8.self)
  }
}
