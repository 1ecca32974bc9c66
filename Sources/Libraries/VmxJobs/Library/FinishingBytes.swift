package import SystemPackage
package import VmxModel
import VmxSystem

/// Checking and placing, which are the same wherever the bytes came from.
package struct FinishingBytes: Sendable {
  /// Names tried before a name counts as taken: the plain one, ` (2)`, ` (3)`, …
  private static let copies = 20

  private let shelf: RootShelf
  private let desk: PlacementDesk
  private let digest: @Sendable (FilePath) throws -> Digest

  /// Finishing for the parts of a library.
  ///
  /// - Parameter digest: reads a whole file and gives its SHA-256.
  package init(
    shelf: RootShelf, desk: PlacementDesk,
    digest: @escaping @Sendable (FilePath) throws -> Digest
  ) {
    self.shelf = shelf
    self.desk = desk
    self.digest = digest
  }

  /// Whether the record's digest and size are those of a file that is here, as after a crash
  /// between the last byte and the record.
  package func isWhole(_ context: PartContext, at location: PartLocation) throws -> Bool {
    guard let size = context.part.size, let sha256 = context.part.sha256,
      context.part.code != .digestMismatch, let file = try location.presentFile()
    else { return false }
    return try MediaFile.size(of: file) == size && digest(file) == sha256
  }

  /// Proves the whole file and chooses its name.
  ///
  /// - Throws: `empty-body`, `size-mismatch`, `digest-mismatch`, `not-media`; the bytes of a
  ///   mismatch are kept aside, once.
  package func check(_ context: PartContext) throws -> CheckedBytes {
    let location = try PartLocation(of: context, on: shelf)
    let file = try location.wholeFile()
    let size = try MediaFile.size(of: file) ?? ByteCount(clamping: 0)
    let subject = "'\(context.part.name)' of '\(context.episode.id)'"
    guard size.bytes > 0 else { throw Failure(.emptyBody, "no bytes came for \(subject)") }
    let found =
      try context.found
      ?? FoundBytes(
        size: size, sha256: digest(file), proof: context.part.proof ?? .length)
    do {
      let proof = try Self.compare(found, with: context.part.variant, of: subject)
      let kind = try Self.kind(of: file, for: context.part.role, subject)
      return CheckedBytes(
        found: FoundBytes(
          size: size, sha256: found.sha256, proof: proof, segments: found.segments),
        root: location.root.uuid,
        path: Self.name(
          of: context.part, in: context.episode, Self.fileExtension(of: context.part, kind)))
    } catch let failure as Failure {
      // The bytes are the wrong ones; a disk that cannot be read says nothing about them.
      try location.files.setAside()
      throw failure
    }
  }

  /// Gives the checked file its name; the next free of ` (2)`, ` (3)`, … if it is taken.
  package func place(_ context: PartContext) throws -> PlacedFile {
    let location = try PartLocation(of: context, on: shelf)
    guard let path = context.part.path, let sha256 = context.part.sha256 else {
      throw Failure(.internalError, "a checked part has no name")
    }
    let placement = Placement(
      partial: location.files.partial, root: location.root.folder,
      candidate: { [episode = context.episode, part = context.part] copy in
        guard copy <= Self.copies else { return nil }
        return Self.name(of: part, in: episode, FilePath(path).extension ?? "", copy: copy)
      },
      isOurs: { [digest] file in try digest(file) == sha256 })
    let placed = try desk.place(placement)
    try location.files.forget()
    return PlacedFile(path: placed)
  }

  /// Writes the sidecar of an episode whose video has its place.
  package func remember(_ episode: Episode, segments: [String: [Digest]]) {
    let video = episode.parts.first { $0.role == .video && $0.state == .ready }
    guard let uuid = video?.root else { return }
    do {
      try Sidecar.write(episode, segments: segments, below: shelf.root(uuid).folder)
    } catch {
      // A root that is away or read-only is no failure; the next change writes it.
    }
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

  /// The proof of bytes that agree with what was published; a published digest is the best.
  private static func compare(
    _ found: FoundBytes, with published: Variant?, of subject: String
  ) throws(Failure) -> Proof {
    if let size = published?.size, size != found.size {
      throw Failure(
        .sizeMismatch,
        "\(subject) has \(found.size.bytes) bytes, published were \(size.bytes)")
    }
    guard let sha256 = published?.sha256 else { return found.proof }
    guard sha256 == found.sha256 else {
      throw Failure(.digestMismatch, "\(subject) has SHA-256 \(found.sha256.hex)")
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

  /// What the bytes say, else what the URL says.
  private static func fileExtension(of part: Part, _ kind: MediaKind?) -> String {
    if let kind { return kind.fileExtension }
    let url = part.variant?.sources.first.flatMap { try? WebURL($0.url) }
    return url?.fileExtension ?? ""
  }
}
