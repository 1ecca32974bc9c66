import SystemPackage
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem

/// The file operations of the removal machine: a move into the trash, or a permanent deletion.
///
/// It removes the part's recorded file and its unfinished files. With the video it also removes the
/// sidecar and the NFO file that vmx wrote, and with the last file of a show the show's NFO file
/// and picture. Any other file is kept, and so is a file that another episode needs.
struct FileRemover: PartRemoving {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  /// The journal entry of the removal.
  let entry: JournalEntry
  /// The owners of the files of the episode.
  let owners: FileOwners
  let digest: @Sendable (FilePath) throws -> Digest

  func remove(_ work: EpisodePart) throws {
    let part = work.part
    let roots = try part.root.map { [try mediaRoots.root($0)] } ?? mediaRoots.presentRoots()
    // All roots must be there before the removal counts as one that has changed files.
    if entry.isUntouched { for root in entry.rootsBefore { _ = try mediaRoots.root(root) } }
    try store.beginChanges(of: entry)
    for root in roots {
      let paths = try paths(of: part, in: work.episode, below: root)
      if entry.isPermanent || part.role == .key {
        try Self.delete(paths, below: root)
      } else {
        try Trash(root: root).add(paths, of: entry)
      }
      for path in paths { try root.removeEmptyFolders(above: path) }
      guard let path = part.path else { continue }
      let files = ShowFiles(of: work.episode, below: root.folder, in: try store.snapshot())
      if let show = try files.remove(above: path) {
        try root.removeEmptyFolders(above: PathBytes(show))
      }
    }
  }

  /// Returns the possible paths of the part's files, below the root.
  private func paths(
    of part: Part, in episode: Episode, below root: MediaRoot
  ) throws -> [PathBytes] {
    let id = episode.id
    let unfinished = PartFiles(root: "", episode: id, part: part)
    var paths = [
      unfinished.partial, unfinished.resume, unfinished.convertedFile, unfinished.rejectedFile,
    ]
    .map { PathBytes($0.bytes) }
    if part.root == root.uuid, let path = part.path,
      try sharer(of: part, in: id, below: root) == nil
    {
      paths.append(PathBytes(path))
    }
    guard part.role == .video else { return paths }
    let sidecar = try Sidecar(of: id, below: root.folder)
    if let nfo = sidecar.nfo, try nfo.isUnchanged(below: root, digest) {
      paths.append(PathBytes(nfo.path))
    }
    return paths + [PathBytes(FilePath(LibraryLayout.sidecar(of: id)).bytes)]
  }

  /// Returns the message that the file of a removed part is kept; nil if it is not.
  func note(on part: Part, of id: EpisodeID) throws -> String? {
    guard isPublished(part), let root = part.root, let path = part.path,
      let other = try sharer(of: part, in: id, below: mediaRoots.root(root))
    else { return nil }
    return "'\(path)' is kept: it is the file of '\(other)' too"
  }

  private func sharer(
    of part: Part, in id: EpisodeID, below root: MediaRoot
  ) throws -> EpisodeID? {
    try owners.sharer(of: part, in: id, below: root, isPublished: isPublished(part), in: store)
  }

  /// Whether the part was published before the removal. The recorded path of an unpublished part
  /// may be that of another episode's existing file.
  private func isPublished(_ part: Part) -> Bool {
    let before = entry.before?.part(named: part.name) ?? part
    return [before.state, before.resumeState].contains { state in
      [.ready, .damaged, .missing].contains(state)
    }
  }

  private static func delete(_ paths: [PathBytes], below root: MediaRoot) throws(FileError) {
    var folders: Set<FilePath> = []
    for path in paths {
      let file = root.file(at: path)
      guard let facts = try FileFacts.of(file), facts.isRegular else { continue }
      try RegularFile.remove(file)
      folders.insert(file.folder)
    }
    for folder in folders { try Trash.syncIfPresent(folder) }
  }
}

extension NFOFile.Written {
  /// Whether the file is as vmx wrote it.
  ///
  /// - Parameter digest: reads a whole file and returns its SHA-256.
  func isUnchanged(below root: MediaRoot, _ digest: (FilePath) throws -> Digest) throws -> Bool {
    let file = root.folder.appending(path)
    guard let facts = try FileFacts.of(file), facts.isRegular, facts.size <= NFOContents.maxBytes
    else { return false }
    return try digest(file).hex == sha256
  }
}
