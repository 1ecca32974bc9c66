package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

// A cancellation is recorded before anything is removed. The trail keeps it as the last step of the
// part. So the next process that claims the episode, after any crash, knows that it must not resume
// from the bytes found there.

/// The files of parts that were cancelled: unfinished ones, and any that got its final name before
/// that was recorded.
package struct CancelledFiles: Sendable {
  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let digest: @Sendable (FilePath) throws -> Digest

  /// Creates an instance for the files of a library.
  ///
  /// - Parameter digest: reads a whole file and returns its SHA-256.
  package init(in store: LibraryStore, digest: @escaping @Sendable (FilePath) throws -> Digest) {
    self.store = store
    self.digest = digest
    mediaRoots = MediaRoots(store: store)
  }

  /// Removes the files; the caller holds the claim on the episode. Files in an unmounted root
  /// remain until a process claims the episode while the root is mounted.
  ///
  /// - Returns: the episode, whose record no longer names them.
  /// - Throws: errors of the file system and the store.
  package func remove(of episode: Episode) throws -> Episode {
    let parts = episode.cancelledParts
    guard !parts.isEmpty else { return episode }
    var removed: [Part] = []
    for root in try mediaRoots.presentRoots() {
      for part in parts {
        try Self.removeUnfinished(
          PartFiles(root: root.folder, episode: episode.id, part: part), below: root.folder)
        guard part.root == root.uuid, part.path != nil else { continue }
        try removePublished(part, of: episode.id, in: root)
        removed.append(part)
      }
    }
    return removed.isEmpty ? episode : try removeParts(removed, of: episode)
  }

  /// Removes all unfinished files of a part, including rejected bytes; durable on return, so that a
  /// power cut does not restore them.
  private static func removeUnfinished(
    _ files: PartFiles, below root: FilePath
  ) throws(FileError) {
    var isThere = false
    for file in [files.partial, files.resume, files.convertedFile, files.rejectedFile] {
      isThere = try FileFacts.of(file) != nil || isThere
    }
    guard isThere else { return }
    try files.discard()
    try RegularFile.remove(files.rejectedFile)
    try Trash.syncIfPresent(root.appending(LibraryLayout.Folder.partial.path))
  }

  /// Removes the file at the recorded path if it has the recorded bytes and no other episode's
  /// record names it.
  private func removePublished(
    _ part: Part, of id: EpisodeID, in root: MediaRoot
  ) throws {
    guard let path = part.path, let sha256 = part.sha256 else { return }
    let file = root.folder.appending(path)
    guard let facts = try FileFacts.of(file), facts.isRegular, facts.size == part.size?.bytes,
      try digest(file) == sha256, try !mediaRoots.isNamed(path, in: root, byOtherThan: id)
    else { return }
    try RegularFile.remove(file)
    try Trash.syncIfPresent(file.folder)
    try root.removeEmptyFolders(above: PathBytes(path))
  }

  private func removeParts(_ parts: [Part], of episode: Episode) throws -> Episode {
    try store.update(.durable, room: .useReserve) { transaction in
      guard var fresh = try transaction.episode(episode.id) else { return episode }
      for part in parts {
        let index = fresh.parts.firstIndex { $0.name == part.name }
        guard let index, fresh.parts[index].state == .new, fresh.parts[index].path == part.path
        else { continue }
        fresh.parts[index].clearBytes()
      }
      return transaction.recorded(fresh)
    }
  }
}
