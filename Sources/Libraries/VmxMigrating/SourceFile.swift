import SystemPackage
import VmxDigest
import VmxLibrary
import VmxMedia
import VmxModel
import VmxStore
import VmxSystem

/// A source file with its staged copy or link.
struct SourceFile: Sendable {
  /// The source.
  let path: FilePath
  /// The path of the staged copy or link, or of an in-place source itself.
  let copy: FilePath
  /// Whether `copy` is a staged file, and not the source itself.
  let isStaged: Bool
  /// The name of the part.
  let part: String
  /// The metadata of the source, to detect changes. Nil if the bytes are a field of a record, which
  /// is not removed.
  let facts: FileFacts?
  /// The size and digests of the copy.
  let found: FoundBytes
  /// The fault of its container; nil if it is sound or of an unknown format.
  let damage: String?
  /// The reason why it cannot be the file of its part; nil if it can. A refused file is not
  /// published.
  let refusal: Failure?
  /// Whether the bytes of this video are known to be of another kind, such as a web page or an
  /// archive.
  let isOfOtherKind: Bool
  /// Whether an episode with this video may be recorded; false for a file of another kind, such as
  /// an archive.
  let isRecordable: Bool

  /// Stages, digests and examines a file of an episode.
  ///
  /// - Parameter known: the library's episode; nil if there is none.
  /// - Throws: `input-missing`, `input-changed`, `disk-full`, `WorkEnded.interrupted`.
  init(
    _ file: LegacyFile, of episode: LegacyEpisode, known: Episode?, migrator: Migrator,
    staging: Staging
  ) throws {
    isStaged = migrator.method != .inPlace || file.contents != nil
    let copy = isStaged ? staging.path() : file.path
    let digest: FileDigest?
    (facts, digest) =
      try isStaged
      ? Self.stage(file, migrator: migrator, in: staging, at: copy) : (Self.facts(of: file), nil)
    do {
      let examined = try Self.examine(
        copy, of: file, digest: digest, shouldStop: migrator.shouldStop)
      found = FoundBytes(
        size: examined.digest.size, sha256: examined.digest.sha256, proof: .length,
        segments: examined.digest.segments)
      refusal =
        try examined.refusal
        ?? Self.refusal(
          of: copy, size: examined.digest.size, from: file, of: episode, known: known,
          migrator: migrator)
      isOfOtherKind = examined.kind?.isMedium == false
      isRecordable = examined.kind == nil || examined.kind == .html || !isOfOtherKind
      damage = examined.damage
      if let facts, try FileFacts.of(file.path)?.isSameContent(as: facts) != true {
        throw Failure(.inputChanged, "'\(file.path)' changed while it was read")
      }
    } catch {
      if isStaged { RegularFile.discard(copy) }
      throw error
    }
    path = file.path
    part = file.part
    self.copy = copy
  }

  /// The file in the form that a publication accepts.
  var staged: ImportedFile { ImportedFile(copy, part: part, found: found) }

  private static func facts(of file: LegacyFile) throws -> FileFacts {
    guard let facts = try FileFacts.of(file.path), facts.isRegular else {
      throw Failure(.inputMissing, "'\(file.path)' is not there any longer")
    }
    return facts
  }

  /// Stages a file. Returns the metadata of the source from before, and the digests of a copy that
  /// was written.
  private static func stage(
    _ file: LegacyFile, migrator: Migrator, in staging: Staging, at copy: FilePath
  ) throws -> (FileFacts?, FileDigest?) {
    if let contents = file.contents {
      try OpenFile(
        copy, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite
      ).write(contents, at: 0)
      return (nil, nil)
    }
    let facts = try facts(of: file)
    // A key is stored with mode 0600, and a hard link would change the mode of the source.
    let mayLink = migrator.method != .copy && file.part != PartRole.key.rawValue
    if mayLink, try link(file.path, facts: facts, to: copy, in: staging) { return (facts, nil) }
    return (
      facts, try FileDigest.ofCopy(from: file.path, to: copy, shouldStop: migrator.shouldStop)
    )
  }

  /// Shares the blocks of the source or creates a hard link, and returns whether that succeeded.
  /// Shared blocks are preferred: a program that changes the source then does not change the
  /// library's file.
  private static func link(
    _ source: FilePath, facts: FileFacts, to copy: FilePath, in staging: Staging
  ) throws -> Bool {
    if staging.canClone(from: facts.device) {
      do throws(FileError) {
        return try copyFile(from: source, to: copy, methods: [.clone]) != .stopped
      } catch  where error.errno == .notSupported {
        staging.cannotClone(from: facts.device)
      } catch {
        // The other methods report this failure too.
      }
    }
    do throws(FileError) {
      try linkFile(from: source, to: copy)
      return true
    } catch {
      // Another file system, or one without hard links: the caller falls back to a copy.
      return false
    }
  }

  /// Digests the copy unless its digest is known, and checks the container of a video.
  private static func examine(
    _ copy: FilePath, of source: LegacyFile, digest: FileDigest?, shouldStop: () -> Bool
  ) throws -> (digest: FileDigest, refusal: Failure?, kind: MediaKind?, damage: String?) {
    let file = try OpenFile(copy, .readOnly)
    let digest =
      try digest
      ?? FileDigest.of(file.descriptor.rawValue, withSegments: true) { _ in shouldStop() }
    guard source.part == PartRole.video.rawValue else { return (digest, nil, nil, nil) }
    let damage = try damage(of: file)
    let kind = MediaKind.sniff(try file.read(MediaKind.sniffLength, at: 0))
    guard kind?.isMedium != true else { return (digest, nil, kind, damage) }
    let failure = Failure(
      .notMedia, "'\(source.path)' is neither video nor audio",
      hint: "look at the file; it stays where it is")
    return (digest, failure, kind, damage)
  }

  /// Returns the reason why the file of a subtitle, image or key is not valid; nil if it is. The
  /// publication would reject it too, but only after the part is recorded.
  private static func refusal(
    of copy: FilePath, size: ByteCount, from source: LegacyFile, of episode: LegacyEpisode,
    known: Episode?, migrator: Migrator
  ) throws -> Failure? {
    let described = episode.description.parts.first { $0.name == source.part }
    guard let part = described?.part(sources: { _ in nil }), part.role != .video else { return nil }
    do {
      _ = try PartContent(
        of: copy, size: size, for: part, charset: nil, "'\(source.path)'",
        keys: KeyCheck(now: migrator.clock.now) { id in
          guard let known else { return id == episode.description.proposedID }
          return try migrator.store.snapshot().resolve(id) == known.id
        })
      return nil
    } catch let failure as Failure {
      return Failure(failure.code, failure.summary, hint: "look at the file; it stays where it is")
    }
  }

  /// Returns the fault of a video's container; nil if it is sound or of an unknown format.
  ///
  /// - Throws: `FileError`.
  static func damage(of path: FilePath) throws(FileError) -> String? {
    try damage(of: OpenFile(path, .readOnly))
  }

  private static func damage(of file: borrowing OpenFile) throws(FileError) -> String? {
    guard case .broken(let fault) = try MediaStructure.examine(file) else { return nil }
    return "the file \(fault.text)"
  }
}
