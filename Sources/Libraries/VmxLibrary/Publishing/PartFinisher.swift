package import SystemPackage
import VmxMedia
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

/// Verifies and publishes a part's bytes, in the same way for every origin of the bytes.
package struct PartFinisher: PartFinishing {
  let mediaRoots: MediaRoots
  private let publisher: FilePublisher
  let clock: any WallClock
  let naming: NameTemplate
  private let sidecars: SidecarWriter
  let digest: @Sendable (FilePath) throws -> Digest

  /// Creates an instance for the parts of a library.
  package init(_ tools: LibraryTools, publisher: FilePublisher = FilePublisher()) {
    self.publisher = publisher
    mediaRoots = tools.mediaRoots
    clock = tools.clock
    naming = tools.naming
    sidecars = SidecarWriter(mediaRoots: mediaRoots, publisher: publisher, nfo: tools.nfo)
    digest = tools.digest
  }

  /// Whether an existing file has the recorded digest and size, as after a crash between the last
  /// byte and the record.
  package func isComplete(_ work: EpisodePart, at location: PartLocation) throws -> Bool {
    guard let size = work.part.size, let sha256 = work.part.sha256,
      work.part.code != .digestMismatch
    else { return false }
    let partial = location.files.partial
    guard let held = try RegularFile.size(of: partial) else {
      return try publishedPath(of: work, at: location) != nil
    }
    if held == size, try digest(partial) == sha256 { return true }
    // The file is still the original; it is converted again.
    guard let original = work.part.original, held == original.size else { return false }
    return try digest(partial) == original.sha256
  }

  /// Verifies the whole file and chooses its name: the first free one, or the one that the file
  /// has.
  ///
  /// - Throws: `empty-body`, `size-mismatch`, `digest-mismatch`, `not-media` or the code of another
  ///   role; those bytes are set aside and replace earlier ones. `name-taken` if no name is free,
  ///   `part-lost`.
  package func check(_ work: EpisodePart, _ found: FoundBytes?) throws -> CheckedBytes {
    let location = try PartLocation(of: work, on: mediaRoots)
    let (file, published) = try completeFile(of: work, at: location)
    let checked: Checked
    do {
      checked = try verify(file, of: work, found, at: location)
    } catch let failure as Failure {
      // Only a `Failure` means that the bytes are wrong; an error of reading the disk does not.
      try location.files.reject()
      throw failure
    }
    let path =
      try published
      ?? freePath(for: work, checked.found, checked.fileExtension, at: location)
    return CheckedBytes(
      found: checked.found, root: location.root.uuid, path: path, original: checked.original,
      duration: checked.report?.duration,
      fault: work.part.isPublished(checked.found.sha256) ? nil : checked.report?.fault)
  }

  /// The result of the check of a file.
  private struct Checked {
    let found: FoundBytes
    let original: OriginalFile?
    let fileExtension: String
    var report: MediaReport?
  }

  private func verify(
    _ file: FilePath, of work: EpisodePart, _ received: FoundBytes?, at location: PartLocation
  ) throws -> Checked {
    let size = try RegularFile.size(of: file) ?? ByteCount(clamping: 0)
    let subject = "'\(work.part.name)' of '\(work.episode.id)'"
    guard size.bytes > 0 else { throw Failure(.emptyBody, "no bytes received for \(subject)") }
    // Before it is read: another file that replaces it meanwhile is noticed.
    let identity = try received?.file ?? FileFacts.of(file)?.identity
    let found =
      try received
      ?? FoundBytes(
        size: size, sha256: digest(file), proof: work.part.proof ?? .length)
    let original = try original(of: work.part, found, in: location.root)
    if let expected = work.part.repairs?.sha256,
      expected != original?.sha256 ?? found.sha256
    {
      throw Failure(.digestMismatch, "\(subject) differs from the previous file")
    }
    let proof = try Self.compare(
      found, size: size, original, with: work.part.variant, of: subject)
    let content = try PartContent(
      of: file, size: size, for: work.part, charset: received?.charset, subject,
      keys: KeyCheck(now: clock.now) { [mediaRoots, own = work.episode.id] id in
        try id == own || mediaRoots.store.snapshot().resolve(id) == own
      })
    let fileExtension = content.fileExtension ?? work.part.urlExtension
    if let made = content.converted {
      let kept = try writeConverted(made, proof, at: location)
      let came = OriginalFile(sha256: found.sha256, size: size, encoding: made.encoding)
      return Checked(found: kept, original: came, fileExtension: fileExtension)
    }
    var proven = FoundBytes(
      size: size, sha256: found.sha256, proof: proof, segments: found.segments,
      version: found.version)
    proven.file = identity
    let report = work.part.role == .video ? try MediaReport(of: OpenFile(file, .readOnly)) : nil
    return Checked(
      found: proven, original: original, fileExtension: fileExtension, report: report)
  }

  /// Publishes the checked file under its recorded name.
  ///
  /// - Returns: nil if another file has that name, so that the caller must choose another one.
  /// - Throws: `part-lost` if the file was replaced by one with other bytes since its check; errors
  ///   of the file system; for a repair also `name-taken`.
  package func publish(
    _ work: EpisodePart, checked: FileIdentity? = nil
  ) throws -> PlacedFile? {
    guard let path = work.part.path, let sha256 = work.part.sha256 else { return nil }
    let location = try PartLocation(of: work, on: mediaRoots)
    let partial = location.files.partial
    if let checked, let present = try FileFacts.ifPresent(at: partial), present.identity != checked,
      try !present.isRegular || digest(partial) != sha256
    {
      throw Failure(.partLost, "another file has replaced the checked one: '\(partial)'")
    }
    try exchange(work.part, at: location)
    if let damaged = work.part.repairs {
      return try replace(damaged, by: sha256, of: work, at: location)
    }
    let placement = Placement(
      in: location.root, partial: partial,
      target: location.root.folder.appending(path), role: work.part.role,
      isReplaceable: { [self, work, location] _ in try contains(path, work, at: location) })
    guard try publisher.publish(placement) else { return nil }
    try location.files.removeResumeData()
    return PlacedFile(path: path)
  }

  /// Writes the sidecar of an episode whose video is published, and the NFO file beside the video.
  ///
  /// - Returns: the failure to write them; nil also if the root is unmounted or read-only.
  package func writeSidecar(_ episode: Episode, found: [String: FoundBytes]) -> Failure? {
    sidecars.write(episode, found: found)
  }

  /// Detects the kind of a file from its first bytes.
  ///
  /// - Throws: as `check(_:for:_:)`.
  package static func kind(
    of file: FilePath, for role: PartRole, _ subject: String
  ) throws -> MediaKind? {
    let kind = MediaKind.sniff(try RegularFile.prefix(of: file, upTo: MediaKind.sniffLength))
    try check(kind, for: role, subject)
    return kind
  }

  /// Refuses a file of a kind that its role excludes, whatever the rest of its bytes.
  ///
  /// - Throws: `not-media`, `not-image`, `not-key`.
  package static func check(
    _ kind: MediaKind?, for role: PartRole, _ subject: String
  ) throws(Failure) {
    switch role {
    case .video:
      if kind?.isMedium != true {
        throw Failure(.notMedia, "\(subject) is neither video nor audio")
      }
    case .image:
      if kind?.isImage != true { throw Failure(.notImage, "\(subject) is not an image") }
    case .key: if kind == .html { throw Failure(.notKey, "\(subject) is a web page") }
    case .metadata: if kind == .html { throw Failure(.notMedia, "\(subject) is a web page") }
    case .subtitle: break
    }
  }

  /// Compares the bytes with the published size and digest, and returns their proof; a published
  /// digest is the strongest. Published digests describe the received bytes, not the converted
  /// file.
  ///
  /// - Throws: `size-mismatch`, `digest-mismatch`.
  private static func compare(
    _ found: FoundBytes, size: ByteCount, _ original: OriginalFile?, with published: Variant?,
    of subject: String
  ) throws(Failure) -> Proof {
    let (size, digest) = (original?.size ?? size, original?.sha256 ?? found.sha256)
    if let expected = published?.size, expected != size {
      throw Failure(
        .sizeMismatch, "\(subject) has \(size.bytes) bytes, expected \(expected.bytes)")
    }
    guard let sha256 = published?.sha256 else { return found.proof }
    guard sha256 == digest else {
      throw Failure(.digestMismatch, "\(subject) has SHA-256 \(digest.hex)")
    }
    return .published
  }
}
