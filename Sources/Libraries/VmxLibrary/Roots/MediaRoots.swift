import Synchronization
package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

/// The roots of a library: which folder belongs to which UUID, and whether it is mounted.
///
/// A root is created once, for the first file below its folder; from then on its mark must be
/// present. A folder without the mark is 'not mounted', and one with another mark belongs to
/// another library. vmx never writes to either.
///
///     let roots = MediaRoots(store: store)
///     let root = try roots.forNewFiles()
package final class MediaRoots: Sendable {
  let store: LibraryStore
  private let folder: FilePath
  private let path: String
  /// The root records found so far. A folder keeps its UUID permanently; its mark is checked at
  /// each use.
  private let known = Mutex<[Known]>([])

  /// Creates the roots of a library.
  ///
  /// - Parameter folder: the folder of the root for new files; nil for the library's default.
  package init(store: LibraryStore, newFilesBelow folder: FilePath? = nil) {
    self.store = store
    self.folder = folder ?? store.home.defaultRoot
    path = self.folder.string
  }

  /// Returns the root for new files, and creates it at the first use of its folder.
  ///
  /// - Throws: `root-away` if it was created before and its mark is missing now, `root-foreign` if
  ///   the folder is marked for another library, and errors of the file system and the store.
  package func forNewFiles() throws -> MediaRoot {
    let known = try recorded { $0.path == path }
    if let known { return try present(known) }
    return try make()
  }

  /// Returns the root with a UUID.
  ///
  /// - Throws: `root-away` or `root-foreign`, as `forNewFiles`.
  package func root(_ uuid: String) throws -> MediaRoot {
    guard let known = try recorded({ $0.uuid == uuid }) else {
      throw Failure(.rootAway, "the library has no root '\(uuid)'")
    }
    return try present(known)
  }

  /// Returns all mounted roots; unmounted and foreign ones are skipped.
  ///
  /// - Throws: errors of the file system and the store.
  package func presentRoots() throws -> [MediaRoot] {
    var ids: [String] = []
    try store.snapshot().records(of: .root) { record in
      ids.append(record.id)
      return true
    }
    return try ids.compactMap { id in
      do {
        return try root(id)
      } catch let failure as Failure where failure.isOfUnreachableRoot {
        return nil
      }
    }
  }

  /// Rejects a folder that contains a root of the library or is in one: its files are ours already.
  ///
  /// - Parameter isRoot: whether the folder may be a root itself.
  /// - Throws: `usage`, errors of the store.
  package func checkIsOutside(_ folder: FilePath, isRoot: Bool) throws {
    var inner: FilePath?
    try store.snapshot().records(of: .root) { record in
      guard let path = record.path else { return true }
      let root = realPath(of: FilePath(path)) ?? FilePath(path)
      if root.starts(with: folder) || folder.starts(with: root), !(isRoot && root == folder) {
        inner = root
      }
      return inner == nil
    }
    guard let inner else { return }
    throw Failure(
      .usage, "'\(folder)' and the library's root '\(inner)' overlap",
      hint: "give folders outside of the library's roots")
  }

  private final class Known: Sendable {
    let uuid: String
    let path: String
    let folder: FilePath
    private let mark: FilePath
    /// The cached mark; an unchanged file need not be parsed again.
    private let seen = Mutex<(facts: FileFacts, mark: RootMark)?>(nil)

    init(uuid: String, path: String) {
      self.uuid = uuid
      self.path = path
      folder = FilePath(path)
      mark = folder.appending(LibraryLayout.mark)
    }

    /// Reads the current mark; nil if there is none.
    func readMark() throws -> RootMark? {
      guard let facts = try FileFacts.of(mark) else { return nil }
      if let seen = seen.withLock({ $0 }), seen.facts.isSameContent(as: facts) { return seen.mark }
      guard let mark = try RootMark(at: mark) else { return nil }
      seen.withLock { $0 = (facts, mark) }
      return mark
    }
  }

  private func recorded(_ isWanted: (Known) -> Bool) throws -> Known? {
    if let known = known.withLock({ $0.first(where: isWanted) }) { return known }
    var found: Known?
    try store.snapshot().records(of: .root) { record in
      guard let path = record.path else { return true }
      let known = Known(uuid: record.id, path: path)
      if isWanted(known) { found = known }
      return found == nil
    }
    if let found { known.withLock { $0.append(found) } }
    return found
  }

  private func present(_ known: Known) throws -> MediaRoot {
    let root = MediaRoot(uuid: known.uuid, folder: known.folder)
    _ = try RootMark.verified(known.readMark(), of: root)
    return root
  }

  /// Creates the root. The mark is durable before the record: a crash in between leaves a marked
  /// folder, which the next run recognises by the library's UUID. If several processes create it at
  /// once, the first to rename its mark wins, and all record the same root.
  private func make() throws -> MediaRoot {
    let library = try libraryID()
    let path = folder.appending(LibraryLayout.mark)
    if try RootMark(at: path) == nil {
      try writeMark(RootMark(root: randomUUID(), library: library))
    }
    guard let mark = try RootMark(at: path), mark.library == library else {
      throw RootMark.foreign(folder)
    }
    var fields = JSONObject()
    fields.append("path", folder.string)
    if folder == store.home.defaultRoot { fields.append(LibraryHome.defaultRootField, true) }
    _ = try store.update(.durable) { transaction in
      transaction.write(StoredRecord(kind: .root, id: mark.root, fields: fields))
    }
    return MediaRoot(uuid: mark.root, folder: folder)
  }

  private func writeMark(_ mark: RootMark) throws {
    let path = folder.appending(LibraryLayout.mark)
    try makeFolders(folder, mode: .publishedFolder)
    try makeFolders(path.folder)
    let draft = path.folder.appending(LibraryLayout.draftOfMark(mark.root))
    try AtomicFile.replace(draft, with: mark.bytes, durable: true)
    do throws(FileError) {
      try renameNoReplace(from: draft, to: path)
      try syncFolder(path.folder)
    } catch {
      try RegularFile.remove(draft)
      if error.errno != .fileExists { throw error }
    }
  }

  /// Returns the library's UUID; writes the header first if the store is empty.
  private func libraryID() throws -> String {
    if let header = try store.snapshot().header { return header.library }
    try store.update(.durable) { _ in }
    guard let header = try store.snapshot().header else {
      throw Failure(.storeDamaged, "the store has no header")
    }
    return header.library
  }
}

extension MediaRoots {
  /// Whether the record of another part names the file: two episodes may have the same bytes and
  /// the same title.
  ///
  /// Reads the paths of all episodes.
  ///
  /// - Parameters:
  ///   - path: the path of the file below the root.
  ///   - part: the part of the episode that is ignored; nil to ignore all of its parts.
  ///   - ignoringUnpublished: whether to ignore checked parts that still have a partial file, and
  ///     whose recorded name is only the intended one.
  /// - Throws: errors of the store and the file system.
  package func isNamed(
    _ path: String, in root: MediaRoot, byOtherThan id: EpisodeID, part: String? = nil,
    ignoringUnpublished: Bool = false
  ) throws -> Bool {
    let file = FileOwners.File(path, root: root.uuid)
    return try FileOwners(of: [file], in: store.snapshot())[file].contains { owner in
      if owner.id == id, part == nil || part == owner.part.name { return false }
      return try !ignoringUnpublished || !owner.isUnpublished(below: root)
    }
  }
}
