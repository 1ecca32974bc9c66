import SystemPackage
package import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// An in-place migration makes a folder a root, and its undo reverts that. The record is deleted
// first. A marked folder without a record is an ordinary folder, which the next migration marks
// again.

extension UndoService {
  /// Removes the roots of undone in-place migrations, unless they contain anything of the library.
  /// Deletes their records and their folders `.vmx`.
  ///
  /// - Throws: errors of the store and the file system.
  package func removeUnusedRoots(of entries: [JournalEntry]) throws {
    var unused = Set(entries.compactMap(\.addition?.placedIn))
    guard !unused.isEmpty else { return }
    let snapshot = try store.snapshot()
    for row in snapshot.journalEntries() where row.state != .undone {
      unused.subtract(row.roots + [row.addition?.placedIn].compactMap { $0 })
      unused.subtract(row.rootsBefore)
    }
    try snapshot.episodes(matching: EpisodeQuery()) { episode in
      unused.subtract(episode.parts.compactMap(\.root))
      return !unused.isEmpty
    }
    for root in try mediaRoots.presentRoots() where unused.contains(root.uuid) {
      let mark = root.folder.appending(LibraryLayout.mark)
      var isEmpty = true
      let errors = forEachFile(below: mark.folder) { path, _ in
        isEmpty = mark.folder.pushing(path) == mark
        return isEmpty
      }
      guard isEmpty, errors.isEmpty, root.folder != store.home.defaultRoot else { continue }
      try store.update(.durable, room: .useReserve) { $0.delete(.root, root.uuid) }
      for folder in LibraryLayout.Folder.allCases {
        try removeEmptyFolders(root.folder.appending(folder.path))
      }
      try RegularFile.remove(mark)
      _ = try removeFolderIfEmpty(mark.folder)
    }
  }

  private func removeEmptyFolders(_ folder: FilePath) throws {
    guard try FileFacts.of(folder)?.isFolder == true else { return }
    var below: [FilePath] = []
    do {
      let open = try OpenFolder(folder)
      while let entry = try open.next() {
        if entry.kind == .folder { below.append(folder.appending(entry: entry.name)) }
      }
    }
    for folder in below { try removeEmptyFolders(folder) }
    _ = try removeFolderIfEmpty(folder)
  }
}
