import SystemPackage
import VmxDigest
import VmxMarkup
package import VmxModel
package import VmxNaming
import VmxStore
import VmxSystem

// The order is: write and flush temporary files for the sidecar and the NFO file, rename both,
// flush each changed folder once, together with the files that other workers publish. So a power
// cut after the call leaves both whole. An earlier one leaves the previous files, or a temporary
// file that `vmx clean` removes. The next `vmx verify` or `vmx clean` detects files that could not
// be written here. If the video was moved, the old NFO file is removed before the sidecar names the
// new one: until then the sidecar shows that vmx wrote the old one.

/// Writes the sidecar of an episode and the NFO file beside its video, durably.
///
///     let writer = SidecarWriter(mediaRoots: mediaRoots, nfo: .none)
///     let failure = writer.write(episode, found: ["video": found])
package struct SidecarWriter: Sendable {
  let mediaRoots: MediaRoots
  private let publisher: FilePublisher
  let nfo: NFOSettings

  /// Creates a writer for the roots of a library.
  ///
  /// - Parameters:
  ///   - publisher: the publisher whose groups the renames join.
  ///   - nfo: the settings of NFO files.
  package init(mediaRoots: MediaRoots, publisher: FilePublisher = FilePublisher(), nfo: NFOSettings)
  {
    self.mediaRoots = mediaRoots
    self.publisher = publisher
    self.nfo = nfo
  }

  /// Whether NFO files are written.
  package var writesNFO: Bool { nfo.isWanted }

  /// Whether NFO files record what was watched, when, and the playback position.
  package var includesWatched: Bool { nfo.isWanted && nfo.includesWatched }

  /// Whether bytes are those of the NFO file that vmx wrote for an episode, according to its
  /// sidecar in a root.
  ///
  /// - Throws: `FileError` if the sidecar exists and cannot be read.
  package func isOwnNFO(_ bytes: [UInt8], for id: EpisodeID, in root: MediaRoot) throws -> Bool {
    guard nfo.isWanted, let known = try Sidecar(of: id, below: root.folder).nfo else {
      return false
    }
    return known.sha256 == DigestHasher.sha256(of: bytes).hex
  }

  /// Returns the path of a video's NFO file, below the root.
  package static func nfoPath(beside video: PathBytes) -> PathBytes? {
    video.text.map { PathBytes(NFOFile.path(beside: $0)) }
  }

  /// Writes the sidecar of an episode whose video is in its root, and the NFO file beside the
  /// video.
  ///
  /// Segment digests in the sidecar are kept, as long as they belong to the recorded bytes.
  ///
  /// - Parameters:
  ///   - found: the segment digests to keep, by part name.
  ///   - documents: the documents of another program from which the episode was taken over.
  /// - Returns: the failure to write; nil also if the root is unmounted or read-only.
  package func write(
    _ episode: Episode, found: [String: FoundBytes] = [:],
    keeping documents: NFOTakenOver = NFOTakenOver()
  ) -> Failure? {
    let video = episode.publishedVideo
    guard let uuid = video?.root, let path = video?.path else { return nil }
    do {
      let root = try mediaRoots.root(uuid).folder
      try write(episode, beside: path, below: root, found, keeping: documents)
      return nil
    } catch let error as FileError where error.allowsNoChange {
      return nil
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return nil
    } catch {
      return Failure(error)
    }
  }

  private func write(
    _ episode: Episode, beside video: String, below root: FilePath, _ found: [String: FoundBytes],
    keeping documents: NFOTakenOver
  ) throws {
    let known = try Sidecar(of: episode.id, below: root)
    guard known.restoringMarks(of: episode, now: mediaRoots.store.now) == nil else {
      throw Failure(
        .mediaUnwritable,
        "'\(known.path)' has newer marks than the store, which was perhaps restored from a backup",
        hint: "run 'vmx clean' to take them over")
    }
    var drafts: [TemporaryFile] = []
    defer { for draft in drafts { draft.discard() } }
    var written = known.nfo
    var problem: (any Error)?
    if nfo.isWanted, !episode.includesNFO {
      do {
        let file = NFOFile(root: root)
        let draft: TemporaryFile?
        let (document, sources) = try document(of: episode, known, keeping: documents.episode)
        (written, draft) = try file.draft(document, beside: video, known.nfo, from: sources)
        if let draft { drafts.append(draft) }
      } catch {
        // The sidecar is still written: something that is not a file may block the NFO file's path
        // permanently.
        problem = error
      }
    }
    if nfo.isWanted,
      let draft = try showDraft(of: episode, above: video, below: root, keeping: documents.show)
    {
      drafts.append(draft)
    }
    if let draft = showSidecarDraft(of: episode, below: root) { drafts.append(draft) }
    if let before = known.nfo, let written, before.path != written.path, nfo.isWanted {
      try publisher.publish(drafts)
      drafts = []
      try NFOFile(root: root).removeUnchanged(before)
      let files = ShowFiles(of: episode, below: root, in: try mediaRoots.store.snapshot())
      try files.copyPicture(above: before.path, to: video)
      _ = try files.remove(above: before.path)
    }
    let bytes = known.bytes(of: episode, found: found, nfo: written)
    if bytes != known.bytesBefore {
      drafts.append(
        try TemporaryFile(of: known.path, bytes, makesFolder: true))
    }
    try publisher.publish(drafts)
    drafts = []
    if let problem { throw problem }
  }
}

extension SidecarWriter {
  /// Writes the changed marks of an episode to its sidecar, and to its NFO file if NFO files record
  /// them.
  ///
  /// - Throws: errors of the store.
  package func writeMarks(of id: EpisodeID) throws {
    try refresh(id, withNFO: includesWatched)
  }

  /// Writes the changed marks of episodes as `writeMarks(of:)`, on several threads, which share the
  /// flushes of the publisher.
  ///
  /// - Throws: errors of the store.
  package func writeMarks(of ids: [EpisodeID]) throws {
    try WorkerThread.forEachInOrder(ids.count, threads: Self.threads, named: "vmx-sidecars") {
      number in
      Result { try writeMarks(of: ids[number]) }
    } take: { result in
      try result.get()
      return true
    }
  }
  private static let threads = 32

  /// Writes the current record of an episode to its sidecar, and to its NFO file if wanted. Skips
  /// an episode that a worker has claimed: that worker writes both itself.
  ///
  /// - Throws: errors of the store. Failures to write are ignored: the store has the change, and
  ///   the next change of the episode repeats the write.
  package func refresh(_ id: EpisodeID, withNFO: Bool) throws {
    let store = mediaRoots.store
    guard let claim = try store.claims.claim(id) else { return }
    defer { claim.release() }
    // If the episode was renamed since, the rename has written it.
    guard let episode = try store.snapshot().episode(id), episode.id == id else { return }
    if withNFO {
      _ = write(episode)
    } else {
      Sidecar.refresh(episode, on: mediaRoots)
    }
  }

  /// Writes the current records of a show to its sidecars, see `ShowSidecar.refresh`.
  package func refreshShow(_ slug: String) { ShowSidecar.refresh(slug, on: mediaRoots) }

  /// Writes the request for a removed episode beside the media, see `Sidecar.refreshRequest`.
  package func refreshRequest(of episode: Episode) {
    Sidecar.refreshRequest(of: episode, on: mediaRoots)
  }

  /// Writes a temporary file for the sidecar of the show, unless it is up to date.
  private func showSidecarDraft(of episode: Episode, below root: FilePath) -> TemporaryFile? {
    do {
      return try ShowSidecar.draft(of: episode.id.show, below: root, in: mediaRoots.store)
    } catch {
      // That of the episode is still written; `vmx clean` reports what prevents this one.
      return nil
    }
  }
}
