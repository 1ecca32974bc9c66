package import SystemPackage
import VmxJSON
package import VmxModel
package import VmxSystem

// `.vmx/trash/<entry>/` holds the files of one journal entry under their own names, and
// `entry.json`, which lists their former paths. The list is durable before the first file is moved,
// and the files before the journal entry is recorded as done. So after a crash each file is in one
// of the two places that the list names. The move can be repeated in either direction.

/// The trash of a root: removed files that can be restored.
package struct Trash: Sendable {
  /// The root whose trash it is.
  package let root: MediaRoot

  /// Creates the trash of a root; its folder need not exist yet.
  package init(root: MediaRoot) {
    self.root = root
  }

  /// Its folder.
  package var folder: FilePath { root.folder.appending(LibraryLayout.Folder.trash.path) }

  /// Returns the entry of a name; nil if there is none.
  ///
  /// - Throws: `FileError.invalidContent` for a damaged list. The former paths of files are unknown
  ///   then, so no other list may replace it.
  package func entry(named name: String) throws(FileError) -> TrashEntry? {
    let list = folder.appending(name).appending(LibraryLayout.trashList)
    do throws(FileError) {
      guard let size = try RegularFile.size(of: list) else { return nil }
      let bytes = try RegularFile.prefix(of: list, upTo: Int(size.bytes))
      guard let entry = TrashEntry(reading: bytes, named: name) else { throw .invalidContent(list) }
      return entry
    } catch {
      if error.errno == .notDirectory || error.errno == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// Returns the entry of a name; nil also if its list is damaged, and the files in its folder
  /// therefore have no known paths.
  package func listedEntry(named name: String) throws(FileError) -> TrashEntry? {
    do throws(FileError) {
      return try entry(named: name)
    } catch {
      if case .invalidContent = error { return nil }
      throw error
    }
  }

  /// Whether any file on the list of a journal entry is in the trash.
  package func hasFiles(of journalEntry: JournalEntry) throws(FileError) -> Bool {
    try entry(named: journalEntry.trashName).map { (entry) throws(FileError) in try hasFiles(entry)
    }
      ?? false
  }

  /// Whether any file on the list of an entry is in the trash.
  package func hasFiles(_ entry: TrashEntry) throws(FileError) -> Bool {
    let entryFolder = folder.appending(entry.name)
    for file in entry.files where try FileFacts.of(entryFolder.appending(file.name)) != nil {
      return true
    }
    return false
  }

  /// Moves files into the trash, durably; missing files are skipped.
  ///
  /// May be repeated after a crash of a removal or of a restoration. A file that is already in the
  /// trash is not moved again, nor is another file that now has its former path. Listed files that
  /// a restoration has moved out are moved back.
  ///
  /// - Parameter paths: their paths below the root.
  /// - Throws: `root-away`, `FileError`; each file is then at its path or in the trash.
  package func add(_ paths: [PathBytes], of journalEntry: JournalEntry) throws {
    var entry = try entry(named: journalEntry.trashName) ?? TrashEntry(of: journalEntry)
    let entryFolder = folder.appending(entry.name)
    var moves: [(from: FilePath, to: FilePath)] = []
    for index in try absentFiles(of: entry, alsoChanged: paths) {
      let source = root.file(at: entry.files[index].path)
      if let facts = try FileFacts.of(source) { entry.files[index].size = facts.size }
      moves.append((source, entryFolder.appending(entry.files[index].name)))
    }
    for path in paths where !entry.files.contains(where: { $0.path == path }) {
      let source = root.file(at: path)
      guard let facts = try FileFacts.of(source), facts.isRegular else { continue }
      let name = entry.freeName(for: path)
      entry.files.append(TrashEntry.File(path: path, name: name, size: facts.size))
      moves.append((source, entryFolder.appending(name)))
    }
    guard !moves.isEmpty else { return }
    for made in try root.makeFolders(entryFolder) { try syncFolder(made.folder) }
    try AtomicFile.replace(
      entryFolder.appending(LibraryLayout.trashList), with: entry.list, durable: true)
    for move in moves where try !Self.move(move.from, to: move.to) {
      entry.files.removeAll { entryFolder.appending($0.name) == move.to }
      try AtomicFile.replace(
        entryFolder.appending(LibraryLayout.trashList), with: entry.list, durable: true)
    }
    if entry.files.isEmpty { return try deleteList(entry) }
    try syncFolder(entryFolder)
    for folder in Set(moves.map(\.from.folder)) { try Self.syncIfPresent(folder) }
  }

  /// Moves a file into the trash.
  ///
  /// - Returns: false if the removal of another episode with the same file has moved it first.
  private static func move(_ file: FilePath, to kept: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: file, to: kept)
      return true
    } catch {
      guard error.errno == .noSuchFileOrDirectory, try FileFacts.of(file) == nil else {
        throw error
      }
      return false
    }
  }

  /// Returns the files of an entry that are at their former paths and not in the trash.
  ///
  /// - Parameter paths: the paths of files whose size may differ from the listed one.
  /// - Returns: their indices in the list.
  private func absentFiles(
    of entry: TrashEntry, alsoChanged paths: [PathBytes]
  ) throws(FileError) -> [Int] {
    let entryFolder = folder.appending(entry.name)
    var absent: [Int] = []
    for (index, file) in entry.files.enumerated()
    where try FileFacts.of(entryFolder.appending(file.name)) == nil {
      guard let facts = try FileFacts.of(root.file(at: file.path)), facts.isRegular,
        facts.size == file.size || paths.contains(file.path)
      else { continue }
      absent.append(index)
    }
    return absent
  }

  /// Checks that the files of an entry can be restored; changes nothing.
  ///
  /// - Throws: `undo-conflict` if another file has one of the paths, `undo-impossible` if a file is
  ///   gone.
  ///
  /// - Parameter yielding: files that will be removed before.
  package func checkRestorable(_ entry: TrashEntry, yielding: Set<FilePath> = []) throws {
    _ = try moves(restoring: entry, yielding)
  }

  /// Moves the files of an entry back to their paths, durably; the list is kept.
  ///
  /// May be repeated after a crash.
  ///
  /// - Throws: as `checkRestorable`, before any file is moved; errors of the file system.
  package func restore(_ entry: TrashEntry) throws {
    let moves = try moves(restoring: entry)
    var folders: Set<FilePath> = [folder.appending(entry.name)]
    for move in moves {
      try restore(move.from, to: move.to, &folders)
      folders.insert(move.to.folder)
    }
    for folder in folders { try Self.syncIfPresent(folder) }
  }

  /// Moves a file back. Creates its folder again if another process removes it while it is empty.
  private func restore(
    _ kept: FilePath, to path: FilePath, _ folders: inout Set<FilePath>
  ) throws {
    let made = try root.makeFolders(path.folder, mode: .publishedFolder)
    folders.formUnion(made.map(\.folder))
    do throws(FileError) {
      try renameNoReplace(from: kept, to: path)
    } catch {
      guard error.errno == .noSuchFileOrDirectory, try FileFacts.of(kept) != nil else {
        throw error
      }
      try restore(kept, to: path, &folders)
    }
  }

  private func moves(
    restoring entry: TrashEntry, _ yielding: Set<FilePath> = []
  ) throws -> [(from: FilePath, to: FilePath)] {
    let entryFolder = folder.appending(entry.name)
    var moves: [(from: FilePath, to: FilePath)] = []
    for file in entry.files {
      let (source, target) = (entryFolder.appending(file.name), root.file(at: file.path))
      let (kept, there) = (try FileFacts.of(source), try FileFacts.of(target))
      switch (kept, yielding.contains(target) ? nil : there) {
      case (_?, nil): moves.append((source, target))
      case (nil, let there?) where there.isRegular && there.size == file.size: continue
      case (_, _?): throw Failure(.undoConflict, "another file already has the name: '\(target)'")
      case (nil, nil):
        throw Failure(.undoImpossible, "no longer in the trash: '\(file.path.displayText)'")
      }
    }
    return moves
  }

  /// Deletes the entry, and its files that a restoration has moved out.
  package func purgeAll(of entry: TrashEntry) throws(FileError) {
    for index in try absentFiles(of: entry, alsoChanged: []) {
      try RegularFile.remove(root.file(at: entry.files[index].path))
    }
    try purge(entry)
  }

  /// Deletes an entry and its files permanently. Unlisted files in its folder do not belong to vmx
  /// and are kept.
  ///
  /// - Throws: `FileError`.
  package func purge(_ entry: TrashEntry) throws(FileError) {
    let entryFolder = folder.appending(entry.name)
    for file in entry.files { try RegularFile.remove(entryFolder.appending(file.name)) }
    try deleteList(entry)
  }

  /// Flushes a folder that files were moved out of. The process that moved the last file may have
  /// removed the folder already.
  package static func syncIfPresent(_ folder: FilePath) throws(FileError) {
    do throws(FileError) {
      try syncFolder(folder)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Removes the list of an entry whose files were restored.
  ///
  /// Ignores failures: the journal entry already records the restoration durably, and the next undo
  /// or clean removes the list.
  package func removeLeftover(_ entry: TrashEntry) {
    do throws(FileError) {
      try deleteList(entry)
    } catch {
      // The list names files that are elsewhere; its folder contains none of them.
    }
  }

  /// Removes the list of an entry that has no files any more.
  private func deleteList(_ entry: TrashEntry) throws(FileError) {
    let entryFolder = folder.appending(entry.name)
    try RegularFile.remove(entryFolder.appending(LibraryLayout.trashList))
    try Self.removeIfEmpty(entryFolder)
  }

  /// Removes a folder if it is empty.
  ///
  /// - Returns: whether the folder no longer exists; a mount point is kept.
  @discardableResult
  package static func removeIfEmpty(_ folder: FilePath) throws(FileError) -> Bool {
    do throws(FileError) {
      return try removeFolderIfEmpty(folder)
    } catch {
      switch error.errno {
      case .noSuchFileOrDirectory: return true
      case .resourceBusy: return false
      default: throw error
      }
    }
  }
}

extension MediaRoot {
  /// Removes the parent folders that are empty now; never a hidden one, and never the root.
  package func removeEmptyFolders(
    above path: PathBytes
  ) throws(FileError) {
    guard path.bytes.first != UInt8(ascii: ".") else { return }
    var folder = FilePath(bytes: path.bytes).removingLastComponent()
    while !folder.isEmpty {
      guard try Trash.removeIfEmpty(self.folder.appending(folder.components)) else { return }
      folder = folder.removingLastComponent()
    }
  }
}
