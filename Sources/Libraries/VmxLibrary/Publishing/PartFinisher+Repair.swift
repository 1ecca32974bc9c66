import SystemPackage
import VmxMedia
package import VmxModel
import VmxSystem

// A repaired file replaces the damaged one by a rename, once it is complete, verified against the
// recorded digest, and durable. Until then the damaged file stays. A file that another program has
// put in its place is never replaced.

extension PartFinisher {
  /// Inspects the current file of a damaged part.
  ///
  /// - Returns: nil if no file is at its path.
  /// - Throws: `repair-refused` if no digest of the expected bytes is known; `root-away` or
  ///   `root-foreign`.
  package func damage(of work: EpisodePart) throws -> DamagedFile? {
    let part = work.part
    if let broken = try brokenFile(of: work) { return broken }
    guard let sha256 = part.receivedDigest,
      let size = part.original?.size ?? part.size
    else {
      throw Failure(
        .repairRefused, "'\(part.name)' of '\(work.episode.id)' has no known digest",
        hint: "remove the episode and add it again; without a digest a repair cannot be verified")
    }
    let location = try PartLocation(of: work, on: mediaRoots)
    guard let final = location.final, let facts = try FileFacts.of(final) else { return nil }
    guard facts.isRegular else {
      throw Failure(.repairRefused, "'\(part.path ?? "")' is not a regular file")
    }
    return DamagedFile(
      sha256: sha256, size: size, inode: facts.inode, damagedSize: facts.size,
      modified: facts.modified)
  }

  /// Returns the file of a part if it has the recorded bytes, whose structure is broken; nil for
  /// another file. No copy of these bytes can repair it.
  ///
  /// - Throws: `media-broken` if the part has no source.
  private func brokenFile(of work: EpisodePart) throws -> DamagedFile? {
    let part = work.part
    guard part.role == .video, part.code == .mediaBroken, let fault = try fault(of: work),
      let file = try PartLocation(of: work, on: mediaRoots).final,
      let facts = try FileFacts.of(file),
      try part.sha256 == nil || part.size?.bytes == facts.size && digest(file) == part.sha256
    else { return nil }
    guard !part.offered.isEmpty else { throw Failure(.mediaBroken, "the file \(fault.text)") }
    return DamagedFile(
      sha256: nil, size: nil, inode: facts.inode, damagedSize: facts.size, modified: facts.modified)
  }

  /// Returns the fault of the container of a published video; nil if there is none, if the file is
  /// gone, or if its publisher has given its digest.
  package func fault(of work: EpisodePart) throws -> ContainerFault? {
    guard work.part.role == .video, !work.part.isPublished(work.part.receivedDigest),
      let file = try PartLocation(of: work, on: mediaRoots).final,
      try FileFacts.of(file)?.isRegular == true
    else { return nil }
    return try MediaReport(of: OpenFile(file, .readOnly)).fault
  }

  /// Sets the bytes of the partial file aside, and returns the time of the next attempt.
  package func reject(_ work: EpisodePart) throws -> Timestamp {
    try PartLocation(of: work, on: mediaRoots).files.reject()
    return clock.now.adding(milliseconds: Self.uploadTime)
  }

  /// The time given to a source to complete a file, in milliseconds: 6 hours.
  private static let uploadTime: Int64 = 6 * 3600 * 1000

  /// Replaces the damaged file by the checked one, durably. May be repeated.
  ///
  /// - Throws: `name-taken` if another file than the damaged one is at its path now.
  func replace(
    _ damaged: DamagedFile, by sha256: Digest, of work: EpisodePart, at location: PartLocation
  ) throws -> PlacedFile? {
    guard let final = location.final, let path = work.part.path else { return nil }
    let partial = location.files.partial
    if try RegularFile.size(of: partial) != nil {
      try RegularFile.flush(partial, for: work.part.role)
      let facts = try FileFacts.of(final)
      if let facts, !damaged.isFile(facts), try !isIntact(final, facts: facts, sha256: sha256) {
        throw Failure(.nameTaken, "another file has taken the name of the damaged one: '\(path)'")
      }
      if facts == nil { try location.root.makeFolders(final.folder, mode: .publishedFolder) }
      try renameReplacing(from: partial, to: final)
      try syncFolder(final.folder)
    } else if try FileFacts.of(final).map({ try isIntact(final, facts: $0, sha256: sha256) })
      != true
    {
      throw Failure(.partLost, "the repaired bytes are missing: '\(path)'")
    }
    try location.files.removeResumeData()
    return PlacedFile(path: path, verifiedAt: clock.now)
  }

  private func isIntact(_ file: FilePath, facts: FileFacts, sha256: Digest) throws -> Bool {
    try facts.isRegular && digest(file) == sha256
  }
}

extension DamagedFile {
  /// Whether a file is the one that was found damaged, with unchanged size and modification time.
  fileprivate func isFile(_ facts: FileFacts) -> Bool {
    facts.isRegular && facts.inode == inode && facts.size == damagedSize
      && facts.modified == modified
  }
}

extension FetchedVersion {
  /// Reads the source version that a part with this digest was fetched as; nil if the sidecar has
  /// none.
  package init?(
    of part: String, in episode: EpisodeID, whole: Digest, on root: MediaRoot
  ) {
    do throws(FileError) {
      let entry = try Sidecar(of: episode, below: root.folder).segmentEntry(of: part)
      guard let entry, entry["sha256"]?.string == whole.hex else { return nil }
      self.init(in: entry)
    } catch {
      // Without it the source is requested like one without version information.
      return nil
    }
  }
}
