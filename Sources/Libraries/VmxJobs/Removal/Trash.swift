package import SystemPackage
import VmxJSON
import VmxModel
package import VmxSystem

// `.vmx/trash/<row>/`: the files of one row under their own names, and `entry.json`, which says
// where they were. The list is durable before the first file comes, and the files before the row
// is recorded as done; so a crash leaves each file in one of the two places that the list names,
// and doing it again, either way, goes on.

/// What was removed from a root and can be put back.
package struct Trash: Sendable {
  /// The root whose trash it is.
  package let root: MediaRoot

  /// The trash of a root, which need not have one yet.
  package init(root: MediaRoot) {
    self.root = root
  }

  /// Its folder.
  package var folder: FilePath { root.folder.appending(".vmx").appending("trash") }

  /// Everything in it, oldest first.
  ///
  /// - Throws: `FileError`, if a folder or a list cannot be read; what has no list that can be read
  ///   is not among them.
  package func entries() throws(FileError) -> [TrashEntry] {
    var entries: [TrashEntry] = []
    guard isFolder(folder) else { return [] }
    let open = try OpenFolder(folder)
    while let found = try open.next() {
      if let name = String(validating: found.name, as: UTF8.self),
        let entry = try entry(named: name)
      {
        entries.append(entry)
      }
    }
    return entries.sorted { ($0.at, $0.name) < ($1.at, $1.name) }
  }

  /// One entry; nil if there is none of this name.
  package func entry(named name: String) throws(FileError) -> TrashEntry? {
    let list = folder.appending(name).appending(TrashEntry.listName)
    do throws(FileError) {
      guard let size = try MediaFile.size(of: list) else { return nil }
      return TrashEntry(reading: try MediaFile.prefix(of: list, upTo: Int(size.bytes)), named: name)
    } catch {
      if error.errno == .notDirectory || error.errno == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// Takes files in, durably; those that are not there are passed over.
  ///
  /// May be done again after a crash: what is here already stays.
  ///
  /// - Parameter paths: below the root.
  /// - Throws: `FileError`; the files are then where they were, or here.
  func take(_ paths: [PathBytes], of row: StepRow) throws(FileError) {
    var entry = try entry(named: row.trashName) ?? TrashEntry(of: row)
    let place = folder.appending(entry.name)
    var moves: [(from: FilePath, to: FilePath)] = []
    for path in paths {
      let source = root.file(at: path)
      guard let facts = try FileFacts.of(source), facts.isRegular else { continue }
      let listed = entry.files.first { $0.path == path }
      if let listed, try FileFacts.of(place.appending(listed.name)) == nil {
        moves.append((source, place.appending(listed.name)))
        continue
      }
      let name = entry.freeName(for: path)
      entry.files.append(TrashEntry.File(path: path, name: name, size: facts.size))
      moves.append((source, place.appending(name)))
    }
    guard !moves.isEmpty else { return }
    for made in try makeFolders(place) { try syncFolder(made.folder) }
    try AtomicFile.replace(
      place.appending(TrashEntry.listName), with: entry.list, durable: true)
    for move in moves { try renameNoReplace(from: move.from, to: move.to) }
    try syncFolder(place)
    for folder in Set(moves.map(\.from.folder)) { try Self.syncIfPresent(folder) }
  }

  /// Puts the files of an entry back where they were, durably, and removes the entry.
  ///
  /// May be done again after a crash.
  ///
  /// - Throws: `undo-conflict` if another file has one of the names, `undo-impossible` if one is
  ///   gone; nothing has been moved then.
  func restore(_ entry: TrashEntry) throws {
    let place = folder.appending(entry.name)
    var moves: [(from: FilePath, to: FilePath)] = []
    for file in entry.files {
      let (source, target) = (
        place.appending(file.name), root.file(at: file.path)
      )
      let (kept, there) = (try FileFacts.of(source), try FileFacts.of(target))
      switch (kept, there) {
      case (_?, nil): moves.append((source, target))
      case (nil, let there?) where there.isRegular && there.size == file.size: continue
      case (_, _?): throw Failure(.undoConflict, "another file has the name: '\(target)'")
      case (nil, nil):
        throw Failure(.undoImpossible, "it is no longer in the trash: '\(file.path.words)'")
      }
    }
    var folders: Set<FilePath> = [place]
    for move in moves {
      for made in try makeFolders(move.to.folder) { folders.insert(made.folder) }
      try renameNoReplace(from: move.from, to: move.to)
      folders.insert(move.to.folder)
    }
    for folder in folders where isFolder(folder) { try syncFolder(folder) }
  }

  /// Removes an entry with its files for good. What is in its folder and not on its list, and so
  /// not ours, stays.
  ///
  /// - Throws: `FileError`.
  package func purge(_ entry: TrashEntry) throws(FileError) {
    let place = folder.appending(entry.name)
    for file in entry.files { try MediaFile.remove(place.appending(file.name)) }
    try forget(entry)
  }

  /// Flushes a folder that files left; whoever took the last one may have removed it already.
  static func syncIfPresent(_ folder: FilePath) throws(FileError) {
    do throws(FileError) {
      try syncFolder(folder)
    } catch {
      if error.errno != .noSuchFileOrDirectory { throw error }
    }
  }

  /// Removes the list of an entry that has no files any more.
  func forget(_ entry: TrashEntry) throws(FileError) {
    let place = folder.appending(entry.name)
    try MediaFile.remove(place.appending(TrashEntry.listName))
    try Self.removeIfEmpty(place)
  }

  /// Removes a folder that has nothing in it.
  ///
  /// - Returns: whether it is gone; a mount point stays.
  @discardableResult
  static func removeIfEmpty(_ folder: FilePath) throws(FileError) -> Bool {
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
