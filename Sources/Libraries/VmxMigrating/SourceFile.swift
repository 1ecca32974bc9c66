import SystemPackage
import VmxDigest
import VmxLibrary
import VmxMedia
import VmxModel
import VmxSystem

/// A source file with its copy or link beside the library.
struct SourceFile: Sendable {
  /// The source.
  let path: FilePath
  /// The copy, or the second name of the source.
  let copy: FilePath
  /// Whether `copy` is a file of the migration, and not the source itself.
  let isStaged: Bool
  /// The name of the part.
  let part: String
  /// The metadata of the source, by which a change is noticed; nil if the bytes are a field of a
  /// record, which stays.
  let facts: FileFacts?
  /// The size and digests of the copy.
  let found: FoundBytes
  /// The data that its container lacks; nil if it is sound or of an unknown format.
  let damage: String?
  /// Why it is no file of its part; nil if it is one. It is not published.
  let refusal: Failure?
  /// Whether an episode with this video is recorded: not for a file of another kind, such as music.
  let mayBeRecorded: Bool

  /// Stages, digests and examines a file.
  ///
  /// - Throws: `input-missing`, `input-changed`, `disk-full`, `WorkEnded.interrupted`.
  init(_ file: LegacyFile, _ migrator: Migrator, to place: FilePath) throws {
    isStaged = migrator.method != .inPlace || file.contents != nil
    if !isStaged, String(validating: file.path.bytes, as: UTF8.self) == nil {
      throw Failure(
        .sourceUnsupported, "the name of '\(file.path)' is not UTF-8",
        hint: "rename it, or migrate by --link or --copy")
    }
    let copy = isStaged ? place : file.path
    facts = try isStaged ? Self.stage(file, migrator, at: copy) : Self.facts(of: file)
    do {
      let isVideo = file.part == PartRole.video.rawValue
      (refusal, mayBeRecorded) = isVideo ? try Self.refusal(of: copy, file.path) : (nil, true)
      (found, damage) = try Self.examine(copy, isVideo: isVideo, migrator.shouldStop)
      if let facts, try FileFacts.of(file.path)?.isSameContent(as: facts) != true {
        throw Failure(.inputChanged, "'\(file.path)' changed while it was read")
      }
    } catch {
      if isStaged { try? RegularFile.remove(copy) }
      throw error
    }
    path = file.path
    part = file.part
    self.copy = copy
  }

  /// The file as it is published.
  var staged: StagedFile { StagedFile(path: copy, part: part, found: found) }

  private static func facts(of file: LegacyFile) throws -> FileFacts {
    guard let facts = try FileFacts.of(file.path), facts.isRegular else {
      throw Failure(.inputMissing, "'\(file.path)' is not there any longer")
    }
    return facts
  }

  /// Returns the metadata of the source as it was before it was staged.
  private static func stage(
    _ file: LegacyFile, _ migrator: Migrator, at copy: FilePath
  ) throws -> FileFacts? {
    if let contents = file.contents {
      try OpenFile(
        copy, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite
      ).write(contents, at: 0)
      return nil
    }
    let facts = try facts(of: file)
    // A key is kept 0600, which must not change the source.
    let mayLink = migrator.method != .copy && file.part != PartRole.key.rawValue
    try stage(file.path, at: copy, mayLink: mayLink, migrator.shouldStop)
    return facts
  }

  private static func stage(
    _ source: FilePath, at copy: FilePath, mayLink: Bool, _ shouldStop: () -> Bool
  ) throws {
    if mayLink, try link(source, to: copy, shouldStop) { return }
    guard try copyFile(from: source, to: copy, shouldStop: { _ in shouldStop() }) != .stopped else {
      throw WorkEnded.interrupted
    }
  }

  /// Whether the copy now shares the bytes of the source. Shared blocks are better than a second
  /// name, since a program that changes the source then changes no file of the library.
  private static func link(
    _ source: FilePath, to copy: FilePath, _ shouldStop: () -> Bool
  ) throws -> Bool {
    do throws(FileError) {
      return try copyFile(
        from: source, to: copy, methods: [.clone], shouldStop: { _ in shouldStop() }) != .stopped
    } catch {
      // A file system without shared blocks.
    }
    do throws(FileError) {
      try linkFile(from: source, to: copy)
      return true
    } catch {
      // Another file system, or one without links: a copy serves as well.
      return false
    }
  }

  private static func refusal(
    of copy: FilePath, _ source: FilePath
  ) throws -> (Failure?, mayBeRecorded: Bool) {
    let kind = MediaKind.sniff(try RegularFile.prefix(of: copy, upTo: MediaKind.sniffed))
    guard kind?.isVideoContainer != true else { return (nil, true) }
    let failure = Failure(
      .notMedia, "'\(source)' is no video", hint: "look at the file; it stays where it is")
    return (failure, kind == nil || kind == .html)
  }

  private static func examine(
    _ copy: FilePath, isVideo: Bool, _ shouldStop: () -> Bool
  ) throws -> (FoundBytes, String?) {
    let file = try OpenFile(copy, .readOnly)
    let digest = try FileDigest.of(file.descriptor.rawValue, withSegments: true) { _ in
      shouldStop()
    }
    let found = FoundBytes(
      size: digest.size, sha256: digest.whole, proof: .length, segments: digest.segments)
    return (found, isVideo ? try damage(of: copy) : nil)
  }

  /// Returns the fault of a video's container; nil if it is sound or of an unknown format.
  ///
  /// - Throws: `FileError`.
  static func damage(of path: FilePath) throws(FileError) -> String? {
    let file = try OpenFile(path, .readOnly)
    guard case .broken(let fault) = try MediaStructure.examine(file) else { return nil }
    return "the file \(fault.words)"
  }
}
