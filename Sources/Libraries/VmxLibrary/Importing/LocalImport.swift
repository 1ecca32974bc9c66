package import SystemPackage
import VmxDigest
import VmxEngine
package import VmxModel
import VmxStore
import VmxSystem

// The source file is never modified. Its bytes are copied (as a reflink, if the file system
// supports it) to a staged file, and every later step reads the copy. The record has the digest of
// the copy, so a later change of the source has no effect. The copy becomes the partial file of its
// episode before the episode is recorded (`EpisodeImporter.receive`). So no record names bytes that
// are not on the disk. A crash leaves a staged copy that the next import removes, or a complete
// part that the next fetch publishes.

/// Imports local files into the library.
package struct LocalImport: Sendable {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let stagedPublisher: StagedPartPublisher
  private let clock: any WallClock
  private let progress: @Sendable (FilePath, ByteCount) -> Void
  private let shouldStop: @Sendable () -> Bool

  /// Creates an importer for a store and the root for new files.
  ///
  /// - Parameters:
  ///   - tools: if they stop the run, the import throws `WorkEnded.interrupted` and leaves nothing
  ///     behind.
  ///   - progress: called with a file and the number of its bytes digested so far, on any thread.
  package init(
    _ tools: LibraryTools,
    progress: @escaping @Sendable (FilePath, ByteCount) -> Void = { _, _ in }
  ) {
    store = tools.store
    mediaRoots = tools.mediaRoots
    clock = tools.clock
    shouldStop = tools.shouldStop
    self.progress = progress
    stagedPublisher = StagedPartPublisher(
      store: store, finisher: PartFinisher(tools), clock: clock)
  }

  /// Copies, digests, records and publishes one file.
  ///
  /// - Parameter description: the description of the episode, with a video part that has no source.
  /// - Returns: the episode, `ready`, or unchanged if the library already had these bytes.
  /// - Throws: `input-missing`, `input-changed`, `not-media`, `disk-full`, `id-taken`, `ambiguous`,
  ///   `lock-busy`, `WorkEnded.interrupted`, and errors of the store.
  package func importFile(
    _ file: FilePath, as description: EpisodeDescription
  ) throws -> EpisodeImporter.Imported {
    let root = try mediaRoots.forNewFiles(replacesDead: true)
    let location = try ImportStaging(store).location(in: root)
    defer { location.claim.release() }
    let copy = location.file
    let digest = try FileDigest.ofCopy(
      from: file, to: copy, progress: { [progress] in progress(file, $0) }, shouldStop: shouldStop)
    do {
      // The kind is checked before anything is recorded, so that a file that is not a video leaves
      // no episode behind.
      try Self.checkIsVideo(copy, of: file)
      try Self.compare(digest, with: description.video?.variants.first, of: file)
      let found = FoundBytes(
        size: digest.size, sha256: digest.sha256, proof: .length, segments: digest.segments)
      let (description, known) = try joined(description, with: digest)
      let staged = ImportedFile(copy, part: PartRole.video.rawValue, found: found)
      let episodeImporter = try EpisodeImporter(
        description, and: [known.map { .ownID($0) } ?? .digest(digest.sha256.hex)], isTyped: true,
        secrets: store.secrets)
      try episodeImporter.prepare(in: store)
      if let taken = try receive(staged, episodeImporter, in: root) { return taken }
      return try publish(staged, digest: digest, with: episodeImporter, in: root)
    } catch {
      // After the rename no file has this name; before it only this process uses the file.
      RegularFile.discard(copy)
      throw error
    }
  }

  /// Reads one file and returns what `importFile` would record, without writing anything.
  ///
  /// - Returns: the episode as it would be recorded, without its file.
  /// - Throws: as `importFile`.
  package func plan(
    _ file: FilePath, as description: EpisodeDescription
  ) throws -> EpisodeImporter.Imported {
    let digest = try FileDigest.ofInput(
      file, progress: { progress(file, $0) }, shouldStop: shouldStop)
    try Self.checkIsVideo(file, of: file)
    try Self.compare(digest, with: description.video?.variants.first, of: file)
    let (description, known) = try joined(description, with: digest)
    let episodeImporter = try EpisodeImporter(
      description, and: [known.map { .ownID($0) } ?? .digest(digest.sha256.hex)], isTyped: true,
      secrets: nil)
    var taken = try store.dryRun.update(.soon) { transaction in
      try episodeImporter.upsert(into: &transaction, now: clock.now)
    }
    // An episode without these bytes would receive them, even if its description does not change.
    if try !taken.episode.hasVideo(of: digest), taken.verdict == .unchanged {
      taken = taken.followed(by: taken.episode, unsaved: nil)
    }
    return taken
  }

  /// Returns the description as a copy of the episode that has these bytes ready, and its id; the
  /// description itself and nil if there is none, or if the user describes another episode.
  private func joined(
    _ description: EpisodeDescription, with digest: FileDigest
  ) throws -> (EpisodeDescription, EpisodeID?) {
    let named: Set<PathField> = [.title, .season, .number, .date]
    guard description.id == nil, description.show == nil, named.isSubset(of: description.derived)
    else { return (description, nil) }
    let snapshot = try store.snapshot()
    let hex = digest.sha256.hex
    for id in snapshot.find([.digest(hex), .bytes(hex)]).sorted() {
      guard let episode = try snapshot.episode(id), episode.readyVideo?.sha256 == digest.sha256
      else { continue }
      return (try description.asCopy(of: episode, .digest(hex), in: snapshot), id)
    }
    return (description, nil)
  }

  /// Rejects a file that is not a video.
  ///
  /// - Throws: `not-media`, `FileError`.
  private static func checkIsVideo(_ copy: FilePath, of file: FilePath) throws {
    do {
      _ = try PartFinisher.kind(of: copy, for: .video, "'\(file)'")
    } catch let failure as Failure {
      throw failure.ofFile
    }
  }

  /// Rejects a file that differs from its description.
  ///
  /// - Throws: `size-mismatch`, `digest-mismatch`.
  private static func compare(
    _ digest: FileDigest, with published: VariantDescription?, of file: FilePath
  ) throws(Failure) {
    if let size = published?.size, size != digest.size {
      throw Failure(.sizeMismatch, "'\(file)' has \(digest.size.bytes) bytes")
    }
    if let sha256 = published?.sha256, sha256 != digest.sha256 {
      throw Failure(.digestMismatch, "'\(file)' has SHA-256 \(digest.sha256.hex)")
    }
  }

  /// Records and publishes the copy for an episode whose video has no file yet.
  ///
  /// - Returns: nil if the episode has a file, if another process holds its claim, or if another
  ///   process has recorded it first.
  private func receive(
    _ staged: ImportedFile, _ episodeImporter: EpisodeImporter, in root: MediaRoot
  ) throws -> EpisodeImporter.Imported? {
    let snapshot = try store.snapshot()
    var present = try episodeImporter.existing(in: snapshot)
    if let known = present {
      present = try mediaRoots.releaseUnreachable(
        [staged.part: staged.found.sha256], of: known, now: clock.now)
    }
    guard present?.parts.contains(where: { $0.name == staged.part && $0.path != nil }) != true,
      let claim = try store.claims.claim(present?.id ?? episodeImporter.newID(in: snapshot))
    else { return nil }
    defer { claim.release() }
    do {
      let (taken, held) = try EpisodeImporter.receive(
        [staged], under: claim, isNew: present == nil, in: root
      ) { received in
        try store.update(.soon) { transaction in
          try episodeImporter.upsert(into: &transaction, now: clock.now, received: received)
        }
      }
      let (episode, unsaved) = try stagedPublisher.publish(
        held, of: taken.episode.id, root: root, under: claim)
      return taken.followed(by: episode, unsaved: unsaved)
    } catch is EpisodeImporter.Superseded {
      // `receive` has renamed the copy back to its staging path.
      return nil
    }
  }

  /// Records the episode, and publishes the copy unless the episode has these bytes.
  private func publish(
    _ staged: ImportedFile, digest: FileDigest, with episodeImporter: EpisodeImporter,
    in root: MediaRoot
  ) throws -> EpisodeImporter.Imported {
    // In the transaction, so that a video with other bytes changes nothing.
    let (taken, isReady) = try store.update(.soon) { transaction in
      let taken = try episodeImporter.upsert(into: &transaction, now: clock.now)
      return (taken, try taken.episode.hasVideo(of: digest))
    }
    if isReady {
      try removeFile(staged.path)
      return taken
    }
    let (episode, unsaved) = try stagedPublisher.publish([staged], of: taken.episode.id, root: root)
    return taken.followed(by: episode, unsaved: unsaved)
  }
}

extension Episode {
  /// Whether the library has its video with these bytes.
  ///
  /// - Throws: `id-taken` if its video has other bytes.
  fileprivate func hasVideo(of digest: FileDigest) throws(Failure) -> Bool {
    guard let video = parts.first(where: { $0.role == .video && $0.state == .ready }) else {
      return false
    }
    guard video.sha256 == digest.sha256 else {
      throw Failure(
        .idTaken, "'\(id)' has another video already",
        hint: "choose another id with '--id'")
    }
    return true
  }
}

extension LocalImport {
  /// Stores the bytes of a licence as the key part of an episode, byte for byte, mode 0600.
  ///
  /// - Parameter id: an episode with a key part that has no file.
  /// - Returns: the recorded episode, and the failure to write its sidecar.
  /// - Throws: `not-key`, `disk-full`, `lock-busy`, and errors of the store.
  package func storeLicence(
    _ bytes: [UInt8], of id: EpisodeID
  ) throws -> (episode: Episode, unsaved: Failure?) {
    let root = try mediaRoots.forNewFiles()
    let location = try ImportStaging(store).location(in: root)
    defer { location.release() }
    try AtomicFile.replace(location.file, with: bytes, mode: .ownerReadWrite, durable: false)
    let digest = try withFile(location.file) { try FileDigest.of($0) }
    let found = FoundBytes(
      size: digest.size, sha256: digest.sha256, proof: .length, segments: digest.segments)
    let file = ImportedFile(location.file, part: PartRole.key.rawValue, found: found)
    return try stagedPublisher.publish([file], of: id, root: root)
  }
}
