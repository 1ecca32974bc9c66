import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// A file that moves to another root is copied, its copy is verified by the recorded digest, and
// then the store records the new place. Only then the file in the old root is removed. After a
// crash before the record, the next run finds the copy by its digest and copies nothing again.
// After a crash behind it, `vmx clean` removes the old file (step `finish-move`).

extension FileRenamer {
  /// Copies the file of a move to another root under its final name. The file in the old root
  /// stays.
  ///
  /// - Returns: the digests of the copy; nil if an earlier run has made it.
  /// - Throws: `plan-changed`, `name-taken`, `digest-mismatch`, `disk-full`, `root-away`,
  ///   `WorkEnded.interrupted`, and errors of the file system. Then there is no copy.
  func copy(
    _ move: FileMove, of episode: Episode, _ folders: inout Set<FilePath>
  ) throws -> FoundBytes? {
    let source = try mediaRoots.root(move.root).file(at: PathBytes(move.from))
    let root = try mediaRoots.root(move.newRoot)
    let target = root.file(at: PathBytes(move.to))
    if try hasRecordedBytes(target, move.part, of: episode) {
      folders.insert(target.folder)
      return nil
    }
    guard let part = episode.part(named: move.part), try FileFacts.ifPresent(at: source) != nil
    else { throw Failure(.planChanged, "the file is missing: '\(source)'") }
    let made = try root.makeFolders(target.folder, mode: .publishedFolder)
    let draft = root.folder.appending(LibraryLayout.partial(of: episode.id, part: move.part))
    try root.makeFolders(draft.folder)
    // An earlier run has left it.
    try RegularFile.remove(draft)
    let found = try FileDigest.ofCopy(from: source, to: draft, shouldStop: shouldStop)
    do {
      if let recorded = part.sha256, recorded != found.sha256 {
        throw Failure(
          .digestMismatch, "the file differs from its record: '\(source)'",
          hint: "run 'vmx verify \(episode.id)', and 'vmx fetch --repair \(episode.id)'")
      }
      let file = try OpenFile(draft, .readOnly)
      let mode: FilePermissions = part.role == .key ? .ownerReadWrite : .published
      try setMode(mode, of: file.descriptor, at: draft)
      try dataSync(file.descriptor, of: draft)
      do throws(FileError) {
        try renameNoReplace(from: draft, to: target)
      } catch {
        throw error.errno == .fileExists ? Failure.nameTaken(target) : Failure(error)
      }
    } catch {
      RegularFile.discard(draft)
      throw error
    }
    folders.formUnion(made.map(\.folder) + [target.folder])
    return FoundBytes(
      size: found.size, sha256: found.sha256, proof: part.proof ?? .length,
      segments: found.segments)
  }

  /// Removes a copy whose move is not recorded.
  func removeCopy(_ move: FileMove) {
    do {
      let root = try mediaRoots.root(move.newRoot)
      try RegularFile.remove(root.file(at: PathBytes(move.to)))
      try root.removeEmptyFolders(above: PathBytes(move.to))
    } catch {
      // The first failure is reported; the next run finds the copy by its digest.
    }
  }

  /// Completes recorded moves to another root: writes the sidecar there, and removes the files in
  /// the old root.
  ///
  /// - Returns: the failure, after which a file is left in the old root; the next `vmx clean`
  ///   removes it. The copies and the record are durable. Nil if all is complete.
  func finish(
    _ episode: Episode, moves: [FileMove], copies: [String: FoundBytes]
  ) -> Failure? {
    do {
      var documents = NFOTakenOver()
      if let video = moves.video {
        try copyNFO(beside: video, of: episode)
        documents = try sidecars.documents(of: episode, below: mediaRoots.root(video.root))
      }
      // The old sidecar stays until there is a new one.
      if let failure = sidecars.write(episode, found: copies, keeping: documents) { return failure }
      // Before the files, which `vmx clean` finds: nothing else would find the sidecar.
      if let video = moves.video { try removeSidecar(above: video, of: episode) }
      for move in moves where move.isBetweenRoots { try removeSource(of: move, episode) }
      if let video = moves.video { _ = try removeShow(above: video, of: episode) }
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// Removes the file that a move has left in the old root, unless another record names it.
  func removeSource(of move: FileMove, _ episode: Episode) throws {
    let root = try mediaRoots.root(move.root)
    guard try !mediaRoots.isNamed(move.from, in: root, byOtherThan: episode.id) else { return }
    let source = root.file(at: PathBytes(move.from))
    try RegularFile.remove(source)
    try Trash.syncIfPresent(source.folder)
    try root.removeEmptyFolders(above: PathBytes(move.from))
  }

  /// Copies the picture of the show to the new root, and removes the files that vmx wrote for the
  /// show and its folder, if a move has left nothing else there; returns whether it has.
  func removeShow(above move: FileMove, of episode: Episode) throws -> Bool {
    let root = try mediaRoots.root(move.root)
    let files = ShowFiles(of: episode, below: root.folder, in: try store.snapshot())
    try files.copyPicture(
      above: move.from, to: move.to, below: try mediaRoots.root(move.newRoot).folder)
    let show = try files.remove(above: move.from)
    if let show { try root.removeEmptyFolders(above: PathBytes(show)) }
    return show != nil
  }

  /// Copies an NFO file of the user to the new root.
  private func copyNFO(beside video: FileMove, of episode: Episode) throws {
    guard let from = SidecarWriter.nfoPath(beside: PathBytes(video.from)),
      let to = SidecarWriter.nfoPath(beside: PathBytes(video.to))
    else { return }
    let (old, new) = (try mediaRoots.root(video.root), try mediaRoots.root(video.newRoot))
    guard let bytes = try RegularFile.prefixIfPresent(of: old.file(at: from), upTo: 1 << 20),
      try !sidecars.isOwnNFO(bytes, for: episode.id, in: old),
      try FileFacts.of(new.file(at: to)) == nil
    else { return }
    try AtomicFile.replace(new.file(at: to), with: bytes, mode: .published, durable: true)
    try RegularFile.remove(old.file(at: from))
  }

  /// Removes the sidecar in the old root, and the NFO file that it describes.
  private func removeSidecar(above video: FileMove, of episode: Episode) throws {
    let root = try mediaRoots.root(video.root)
    let sidecar = try Sidecar(of: episode.id, below: root.folder)
    if let nfo = sidecar.nfo {
      let file = root.folder.appending(nfo.path)
      if try FileFacts.of(file)?.isRegular == true, try digest(file).hex == nfo.sha256 {
        try RegularFile.remove(file)
        try root.removeEmptyFolders(above: PathBytes(nfo.path))
      }
    }
    try RegularFile.remove(root.folder.appending(LibraryLayout.sidecar(of: episode.id)))
  }
}
