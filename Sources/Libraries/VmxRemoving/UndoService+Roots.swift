import SystemPackage
package import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// An in-place migration makes a folder a root, and its undo reverts that: the mark is removed, then
// the record. The journal entries are closed after that, so the same command completes an
// interrupted undo. A marked folder without a record is an ordinary folder, which the next
// migration marks again.

extension UndoService {
  /// Removes the roots of undone in-place migrations, unless they contain anything of the library:
  /// their folders `.vmx` and their records. Then closes the journal entries.
  ///
  /// - Parameter entries: the entries that `undo` has reverted; those of other operations are
  ///   ignored.
  /// - Throws: errors of the store and the file system.
  package func removeUnusedRoots(of entries: [JournalEntry]) throws {
    let entries = entries.filter { $0.addition?.placedIn != nil }
    guard !entries.isEmpty else { return }
    var unused = Set(entries.compactMap(\.addition?.placedIn))
    let undone = Set(entries.map(\.id))
    let snapshot = try store.snapshot()
    for entry in snapshot.journalEntries()
    where entry.state != .undone && !undone.contains(entry.id) {
      unused.subtract(entry.roots + [entry.addition?.placedIn].compactMap { $0 })
      unused.subtract(entry.rootsBefore)
    }
    try snapshot.episodes(matching: EpisodeQuery()) { episode in
      unused.subtract(episode.parts.compactMap(\.root))
      return !unused.isEmpty
    }
    for uuid in unused.sorted() { try removeRoot(uuid, in: snapshot) }
    for start in stride(from: 0, to: entries.count, by: EpisodeRemover.maxBatchSize) {
      try store.update(.durable, room: .useReserve) { transaction in
        for entry in entries[start...].prefix(EpisodeRemover.maxBatchSize) {
          guard var entry = transaction.journalEntry(entry.id) else { continue }
          entry.state = .undone
          transaction.write(entry.stored)
        }
      }
    }
  }

  /// Writes to the marks of the present roots that lost ones are expected again.
  ///
  /// - Parameter entries: as `removeUnusedRoots`.
  package func writeDeclarations(of entries: [JournalEntry]) {
    if entries.contains(where: { $0.lostRoot != nil }) { mediaRoots.writeDeclarations() }
  }

  private func removeRoot(_ uuid: String, in snapshot: StoreSnapshot) throws {
    guard let path = snapshot.record(.root, uuid)?.path else { return }
    let folder = FilePath(path)
    let mark = folder.appending(LibraryLayout.mark)
    guard folder != store.home.defaultRoot, try FileFacts.of(folder)?.isFolder == true else {
      return
    }
    if try mediaRoots.presentRoots().contains(where: { $0.uuid == uuid }) {
      var isEmpty = true
      let shows = root(.shows, below: path)
      let errors = forEachFile(below: mark.folder) { path, _ in
        let path = mark.folder.pushing(path)
        // The store has the shows of its sidecars.
        isEmpty = path == mark || path.folder == shows
        return isEmpty
      }
      guard isEmpty else { return }
      // Files that cannot be read may be of the library: the same command tries it again.
      if let error = errors.first { throw error }
      for slug in try ShowSidecar.slugs(in: MediaRoot(uuid: uuid, folder: folder)) {
        try RegularFile.remove(folder.appending(LibraryLayout.sidecar(ofShow: slug)))
      }
      for folder in LibraryLayout.Folder.allCases {
        try removeEmptyFolders(root(folder, below: path))
      }
      try RegularFile.remove(mark)
    } else if try FileFacts.of(mark) != nil {
      // The folder is marked for another library.
      return
    }
    // An interrupted undo has removed the mark.
    if try FileFacts.of(mark.folder) != nil { _ = try removeFolderIfEmpty(mark.folder) }
    try store.update(.durable, room: .useReserve) { $0.delete(.root, uuid) }
  }

  private func root(_ folder: LibraryLayout.Folder, below path: String) -> FilePath {
    FilePath(path).appending(folder.path)
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
