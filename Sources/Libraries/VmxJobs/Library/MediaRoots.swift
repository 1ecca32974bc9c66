import Synchronization
package import SystemPackage
import VmxModel
package import VmxStore
import VmxSystem

/// The roots of a library: which folder belongs to which UUID, and whether it is there.
///
/// A root is made once, at the first file that goes there; from then on its mark must be found.
/// A folder without the mark is 'not mounted', one with another mark belongs to someone else;
/// neither is ever written to.
package final class MediaRoots: Sendable {
  let store: LibraryStore
  private let folder: FilePath
  private let path: String
  /// Records of roots found so far: a folder keeps its UUID for good, its mark is looked at each
  /// time.
  private let known = Mutex<[Known]>([])

  /// The shelf of a library whose new files go below `folder`.
  package init(store: LibraryStore, newFilesBelow folder: FilePath) {
    self.store = store
    self.folder = folder
    path = folder.string
  }

  /// The root for new files, made if this is the first use of its folder.
  ///
  /// - Throws: `root-away` if it was made before and its mark is not there now, `root-foreign` if
  ///   the folder is marked for another library, and what the disk or the store throws.
  package func forNewFiles() throws -> MediaRoot {
    let known = try recorded { $0.path == path }
    if let known { return try present(known) }
    return try make()
  }

  /// A root by its UUID.
  ///
  /// - Throws: `root-away` or `root-foreign` as above.
  package func root(_ uuid: String) throws -> MediaRoot {
    guard let known = try recorded({ $0.uuid == uuid }) else {
      throw Failure(.rootAway, "the library has no root '\(uuid)'")
    }
    return try present(known)
  }

  /// All roots that are there at this moment; those that are away or not ours are passed over.
  ///
  /// - Throws: what the disk or the store throws.
  package func presentRoots() throws -> [MediaRoot] {
    var ids: [String] = []
    try store.snapshot().records(of: .root) { record in
      ids.append(record.id)
      return true
    }
    return try ids.compactMap { id in
      do {
        return try root(id)
      } catch let failure as Failure where [.rootAway, .rootForeign].contains(failure.code) {
        return nil
      }
    }
  }

  private final class Known: Sendable {
    let uuid: String
    let path: String
    let folder: FilePath
    private let mark: FilePath
    /// The mark as it was read: the same file with the same bytes says the same.
    private let seen = Mutex<(facts: FileFacts, mark: RootMark)?>(nil)

    init(uuid: String, path: String) {
      self.uuid = uuid
      self.path = path
      folder = FilePath(path)
      mark = MediaRoot.mark(in: folder)
    }

    /// The mark as it is now; nil where there is none.
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
      guard let path = record.fields["path"]?.string else { return true }
      let known = Known(uuid: record.id, path: path)
      if isWanted(known) { found = known }
      return found == nil
    }
    if let found { known.withLock { $0.append(found) } }
    return found
  }

  private func present(_ known: Known) throws -> MediaRoot {
    guard let mark = try known.readMark() else {
      throw Failure(.rootAway, "the library's folder is not there: '\(known.path)'")
    }
    guard mark.root == known.uuid else {
      throw Failure(.rootForeign, "the folder belongs to another library: '\(known.path)'")
    }
    return MediaRoot(uuid: known.uuid, folder: known.folder)
  }

  /// The mark is durable before the record: a crash between leaves a marked folder, which the
  /// next run takes as its own by the library's UUID. Of several processes that make it at once
  /// the first to give the mark its name wins, and all record the same.
  private func make() throws -> MediaRoot {
    let library = try libraryID()
    let path = MediaRoot.mark(in: folder)
    if try RootMark(at: path) == nil {
      try writeMark(RootMark(root: UniqueID.random(), library: library))
    }
    guard let mark = try RootMark(at: path), mark.library == library else {
      throw Failure(.rootForeign, "the folder belongs to another library: '\(folder)'")
    }
    var fields = JSONObject()
    fields.append("path", folder.string)
    if folder == store.home.defaultRoot { fields.append(LibraryHome.defaultRootField, true) }
    _ = try store.update(.durable) { transaction in
      transaction.put(StoredRecord(kind: .root, id: mark.root, fields: fields))
    }
    return MediaRoot(uuid: mark.root, folder: folder)
  }

  private func writeMark(_ mark: RootMark) throws {
    let path = MediaRoot.mark(in: folder)
    try makeFolders(folder, mode: .publishedFolder)
    try makeFolders(path.folder)
    let draft = path.folder.appending(MediaRoot.draftOfMark(mark.root))
    try AtomicFile.replace(draft, with: mark.bytes, durable: true)
    do throws(FileError) {
      try renameNoReplace(from: draft, to: path)
      try syncFolder(path.folder)
    } catch {
      try MediaFile.remove(draft)
      if error.errno != .fileExists { throw error }
    }
  }

  /// The library's UUID, which its store gets with its first line.
  private func libraryID() throws -> String {
    if let header = try store.snapshot().header { return header.library }
    try store.update(.durable) { _ in }
    guard let header = try store.snapshot().header else {
      throw Failure(.storeDamaged, "the store has no header")
    }
    return header.library
  }
}
