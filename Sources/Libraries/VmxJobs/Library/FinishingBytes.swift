package import SystemPackage
package import VmxModel
import VmxStore
import VmxSystem

/// Checking and placing, which are the same wherever the bytes came from.
package struct FinishingBytes: Sendable {
  /// Names tried before a name counts as taken: the plain one, ` (2)`, ` (3)`, …
  private static let copies = 20

  let mediaRoots: MediaRoots
  private let publisher: FilePublisher
  let clock: any WallClock
  private let sidecars: SidecarWriter
  let digest: @Sendable (FilePath) throws -> Digest

  /// Finishing for the parts of a library.
  ///
  /// - Parameters:
  ///   - nfo: what an NFO file says of an episode; nil where none is to be written.
  ///   - digest: reads a whole file and gives its SHA-256.
  package init(
    mediaRoots: MediaRoots, publisher: FilePublisher, clock: any WallClock,
    nfo: NFOSource? = nil,
    digest: @escaping @Sendable (FilePath) throws -> Digest
  ) {
    self.mediaRoots = mediaRoots
    self.publisher = publisher
    self.clock = clock
    sidecars = SidecarWriter(mediaRoots: mediaRoots, publisher: publisher, nfo: nfo)
    self.digest = digest
  }

  /// Whether the record's digest and size are those of a file that is here, as after a crash
  /// between the last byte and the record.
  package func isWhole(_ context: PartContext, at location: PartLocation) throws -> Bool {
    guard let size = context.part.size, let sha256 = context.part.sha256,
      context.part.code != .digestMismatch, let file = try location.presentFile()
    else { return false }
    let held = try MediaFile.size(of: file)
    if held == size, try digest(file) == sha256 { return true }
    // As it came: what is to be kept instead is made of it again.
    guard let original = context.part.original, held == original.size else { return false }
    return try digest(file) == original.sha256
  }

  /// Proves the whole file and chooses its name.
  ///
  /// - Throws: `empty-body`, `size-mismatch`, `digest-mismatch`, `not-media` and its like for other
  ///   roles; bytes that are refused are kept aside, once.
  package func check(_ context: PartContext) throws -> CheckedBytes {
    let location = try PartLocation(of: context, on: mediaRoots)
    let file = try location.wholeFile()
    let size = try MediaFile.size(of: file) ?? ByteCount(clamping: 0)
    let subject = "'\(context.part.name)' of '\(context.episode.id)'"
    guard size.bytes > 0 else { throw Failure(.emptyBody, "no bytes came for \(subject)") }
    let found =
      try context.found
      ?? FoundBytes(
        size: size, sha256: digest(file), proof: context.part.proof ?? .length)
    do {
      let original = try original(of: context.part, found, in: location.root)
      if let expected = context.part.repairs?.sha256,
        expected != original?.sha256 ?? found.sha256
      {
        throw Failure(.digestMismatch, "\(subject) is not the file that was here before")
      }
      let proof = try Self.compare(
        found, size: size, original, with: context.part.variant, of: subject)
      let content = try look(at: file, size, context, subject)
      let path = Self.name(
        of: context.part, in: context.episode,
        content.fileExtension ?? Self.fileExtension(of: context.part))
      if let made = content.made {
        let kept = try keep(made, proof, at: location)
        let came = OriginalFile(sha256: found.sha256, size: size, encoding: made.encoding)
        return CheckedBytes(found: kept, root: location.root.uuid, path: path, original: came)
      }
      return CheckedBytes(
        found: FoundBytes(
          size: size, sha256: found.sha256, proof: proof, segments: found.segments,
          version: found.version),
        root: location.root.uuid, path: path, original: original)
    } catch let failure as Failure {
      // The bytes are the wrong ones; a disk that cannot be read says nothing about them.
      try location.files.setAside()
      throw failure
    }
  }

  /// Gives the checked file its name; the next free of ` (2)`, ` (3)`, … if it is taken.
  package func place(_ context: PartContext) throws -> PlacedFile {
    let location = try PartLocation(of: context, on: mediaRoots)
    guard let path = context.part.path, let sha256 = context.part.sha256 else {
      throw Failure(.internalError, "a checked part has no name")
    }
    try exchange(context.part, at: location)
    if let damaged = context.part.repairs {
      return try replace(damaged, by: sha256, of: context, at: location)
    }
    // Only a process before this one can have given the file its name. The same bytes under another
    // name are another episode's file: whoever removes that one must not take this one's.
    let placement = Placement(
      partial: location.files.partial, root: location.root.folder,
      candidate: { [episode = context.episode, part = context.part] copy in
        guard copy > 1 else { return path }
        guard copy <= Self.copies else { return nil }
        return Self.name(of: part, in: episode, FilePath(path).extension ?? "", copy: copy)
      },
      isOurs: { [self, context, root = location.root] file in
        let before = context.nameBefore.map { root.folder.appending($0) }
        return try file == before && digest(file) == sha256
          && !mediaRoots.isNamed(file, in: root, byOtherThan: context.episode.id)
      })
    let placed = try publisher.place(placement)
    try location.files.forget()
    return PlacedFile(path: placed)
  }

  /// Writes the sidecar of an episode whose video has its place, and the NFO file beside it.
  ///
  /// - Returns: the failure to write them; nil also where the root is away or read-only.
  package func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure? {
    sidecars.write(episode, found: found)
  }

  /// What kind of file it is, as its first bytes tell.
  ///
  /// - Parameter hint: what to do where it is the wrong kind, if the catalogue does not say it well.
  /// - Throws: `not-media` for a video that is in no container, and for a page of HTML whatever it
  ///   was to be.
  package static func kind(
    of file: FilePath, for role: PartRole, _ subject: String, hint: String? = nil
  ) throws -> MediaKind? {
    let kind = MediaKind.sniff(try MediaFile.prefix(of: file, upTo: MediaKind.sniffed))
    if role == .video, kind?.isVideoContainer != true {
      throw Failure(.notMedia, "\(subject) is no video", hint: hint)
    }
    if kind == .html { throw Failure(.notMedia, "\(subject) is a web page", hint: hint) }
    return kind
  }

  /// What the whole file is; refuses what cannot be a part of this role.
  private func look(
    at file: FilePath, _ size: ByteCount, _ context: PartContext, _ subject: String
  ) throws -> PartContent {
    let (part, episode) = (context.part, context.episode)
    switch part.role {
    case .video, .metadata:
      return PartContent(
        fileExtension: try Self.kind(of: file, for: part.role, subject)?.fileExtension)
    case .image:
      let kind = MediaKind.sniff(try MediaFile.prefix(of: file, upTo: MediaKind.sniffed))
      guard let kind, kind.isImage else { throw Failure(.notImage, "\(subject) is no picture") }
      return PartContent(fileExtension: kind.fileExtension)
    case .subtitle:
      return try SubtitleCheck.look(
        at: file, size: size, of: part, charset: context.found?.charset, subject)
    case .key:
      try KeyCheck.look(at: file, subject, now: clock.now) { id in
        try id == episode.id || mediaRoots.store.snapshot().resolve(id) == episode.id
      }
      return PartContent(fileExtension: "key")
    }
  }

  /// The proof of bytes that agree with what was published; a published digest is the best. What
  /// was published is of the bytes that came.
  private static func compare(
    _ found: FoundBytes, size: ByteCount, _ original: OriginalFile?, with published: Variant?,
    of subject: String
  ) throws(Failure) -> Proof {
    let (size, digest) = (original?.size ?? size, original?.sha256 ?? found.sha256)
    if let expected = published?.size, expected != size {
      throw Failure(
        .sizeMismatch, "\(subject) has \(size.bytes) bytes, published were \(expected.bytes)")
    }
    guard let sha256 = published?.sha256 else { return found.proof }
    guard sha256 == digest else {
      throw Failure(.digestMismatch, "\(subject) has SHA-256 \(digest.hex)")
    }
    return .published
  }

  /// The name a part gets, or tries as its n-th: beside the video where that has its name, since
  /// players look there, else one made from the episode.
  private static func name(
    of part: Part, in episode: Episode, _ fileExtension: String, copy: Int = 1
  ) -> String {
    let video = episode.parts.first { $0.role == .video && $0.state == .ready }?.path
    if part.role != .video, copy == 1, let video {
      return MediaName.path(beside: video, part: part, fileExtension: fileExtension)
    }
    return MediaName.path(for: episode, part: part, fileExtension: fileExtension, copy: copy)
  }

  /// What the URL says, where the bytes do not.
  private static func fileExtension(of part: Part) -> String {
    let url = part.urls.first.flatMap { try? WebURL($0) }
    return url?.fileExtension ?? ""
  }
}
