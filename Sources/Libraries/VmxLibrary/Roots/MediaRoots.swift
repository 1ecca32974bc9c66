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
  /// - Parameter replacesDead: whether a new root may be created in the place of one that is gone,
  ///   for a caller that has the bytes at hand. The disk must be there: the place is on the file
  ///   system with the mount point that the gone root had. Without its disk, the mount point would
  ///   be another one.
  /// - Throws: `root-away` if it was created before and its mark is missing now, `root-foreign` if
  ///   the folder is marked for another library, and errors of the file system and the store.
  package func forNewFiles(replacesDead: Bool = false) throws -> MediaRoot {
    if let known = try recorded({ $0.path == path && !$0.isLost && isMarked($0) }) {
      return try present(known)
    }
    guard let known = try recorded({ $0.path == path && !$0.isLost }) else { return try make() }
    do {
      return try present(known)
    } catch let failure as Failure where failure.code == .rootAway {
      guard replacesDead, try isDiskPresent(of: known) else { throw failure }
      return try make()
    }
  }

  /// Whether the folder of a root has its mark; an unreadable mark is reported later.
  private func isMarked(_ known: Known) -> Bool {
    do { return try known.readMark()?.root == known.uuid } catch { return false }
  }

  /// Whether the place of a root whose folder is gone is on the disk that held it, or on another
  /// disk with its mount point.
  private func isDiskPresent(of known: Known) throws -> Bool {
    let folder = isFolder(known.folder) ? known.folder : known.folder.folder
    let recorded = try store.snapshot().record(.root, known.uuid)?.fields[Self.mountField]?.string
    return recorded != nil && recorded == mountPoint(of: folder)?.string
  }

  /// The field with the mount point of the file system on which a root was created.
  private static let mountField = "mount"

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
  /// - Parameter skippingUnreadable: whether those whose mark cannot be read are skipped too, since
  ///   a faulty disk must not stop work that does not need it.
  /// - Throws: errors of the file system and the store.
  package func presentRoots(skippingUnreadable: Bool = false) throws -> [MediaRoot] {
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
      } catch is FileError where skippingUnreadable {
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
    /// Whether the user has said that the root will not come back.
    let isLost: Bool
    private let mark: FilePath
    /// The cached mark; an unchanged file need not be parsed again.
    private let seen = Mutex<(facts: FileFacts, mark: RootMark)?>(nil)

    /// Whether the store has another place of the root.
    private let unrecorded = Mutex(false)

    var isUnrecorded: Bool { unrecorded.withLock { $0 } }
    func endRecording() { unrecorded.withLock { $0 = false } }

    init(uuid: String, path: String, isLost: Bool = false, isUnrecorded: Bool = false) {
      self.isLost = isLost
      self.uuid = uuid
      self.path = path
      folder = FilePath(path)
      mark = folder.appending(LibraryLayout.mark)
      unrecorded.withLock { $0 = isUnrecorded }
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
    let snapshot = try store.snapshot()
    snapshot.records(of: .root) { record in
      guard let path = record.path else { return true }
      let known = Known(
        uuid: record.id, path: path, isLost: record.isLostRoot,
        isUnrecorded: snapshot.recordedFolder(ofRoot: record.id) != path)
      if isWanted(known) { found = known }
      return found == nil
    }
    if let found { known.withLock { $0.append(found) } }
    return found
  }

  private func present(_ known: Known) throws -> MediaRoot {
    do {
      return try verified(known)
    } catch let failure as Failure {
      guard failure.isOfUnreachableRoot, let moved = try relocated(known) else { throw failure }
      return try verified(moved)
    }
  }

  private func verified(_ known: Known) throws -> MediaRoot {
    let root = MediaRoot(uuid: known.uuid, folder: known.folder)
    let mark = try known.readMark()
    if let mark, mark.root != known.uuid,
      try store.snapshot().recordedFolder(ofRoot: mark.root) == known.path
    {
      // A later root of this library was created in its place.
      throw RootMark.away(known.folder)
    }
    _ = try RootMark.verified(mark, of: root)
    if known.isUnrecorded { try record(known) }
    return root
  }

  /// Returns the root at the place where its mark is found now; nil if that is nowhere else.
  private func relocated(_ known: Known) throws -> Known? {
    forget(known.uuid)
    if let found = try recorded({ $0.uuid == known.uuid }), found.path != known.path {
      return found
    }
    // The folder of this run (`--root`) is no configured folder of the store.
    forget(known.uuid)
    guard try RootMark(at: folder.appending(LibraryLayout.mark))?.root == known.uuid else {
      return nil
    }
    let found = Known(uuid: known.uuid, path: path, isUnrecorded: true)
    self.known.withLock { $0.append(found) }
    return found
  }

  private func forget(_ uuid: String) {
    known.withLock { all in all = all.filter { $0.uuid != uuid } }
  }

  /// Records the place where the root was found. The default root of the home needs no record.
  private func record(_ found: Known) throws {
    found.endRecording()
    guard found.folder != store.home.defaultRoot else { return }
    do {
      try store.update(.soon) { transaction in
        guard let root = transaction.record(.root, found.uuid) else { return }
        var fields = root.fields
        fields["path"] = .string(found.path)
        transaction.write(StoredRecord(kind: .root, id: found.uuid, fields: fields))
      }
    } catch let error as StoreError {
      // The place is found again by each run until a run can record it; a full or read-only disk of
      // the store must not hide the media.
      guard error.code != .storeDamaged else { throw error }
    }
  }

  /// Creates the root. The mark is durable before the record: a crash in between leaves a marked
  /// folder, which the next run recognises by the library's UUID. If several processes create it at
  /// once, the first to rename its mark wins, and all record the same root.
  private func make() throws -> MediaRoot {
    let library = try libraryID()
    let path = folder.appending(LibraryLayout.mark)
    var renaming: ExclusiveRenaming?
    if try RootMark(at: path) == nil {
      let mark = RootMark(root: randomUUID(), library: library)
      renaming = try writeMark(mark.declaring(store.snapshot().lossDeclarations))
    }
    guard let mark = try RootMark(at: path), mark.library == library else {
      throw RootMark.foreign(folder)
    }
    var fields = JSONObject()
    fields.append("path", folder.string)
    fields.append(Self.mountField, mountPoint(of: folder)?.string)
    if renaming == .look { fields.append(StoredRecord.renamesAfterLookField, true) }
    if folder == store.home.defaultRoot { fields.append(LibraryHome.defaultRootField, true) }
    _ = try store.update(.durable) { transaction in
      var root = StoredRecord(kind: .root, id: mark.root, fields: fields)
      let known = transaction.record(.root, mark.root)
      if known?.renamesAfterLook == true {
        root.fields[StoredRecord.renamesAfterLookField] = .bool(true)
      }
      if let known, let declared = known.lossDeclaration {
        root = root.declared(
          declared.isLost ? LossDeclaration(isLost: false, at: transaction.now) : declared)
      }
      transaction.write(root)
    }
    return MediaRoot(uuid: mark.root, folder: folder)
  }

  /// - Returns: how the mark got its name; nil if another process was first.
  private func writeMark(_ mark: RootMark) throws -> ExclusiveRenaming? {
    let path = folder.appending(LibraryLayout.mark)
    do throws(FileError) {
      _ = try makeFolder(folder, mode: .publishedFolder)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      // The folder above may be the mount point of a disk, or on one: it is never created.
      throw Failure(
        .rootAway, "the folder of the new media folder is missing: '\(folder.folder)'",
        hint: "mount the disk that holds it, or create it with 'mkdir -p'")
    }
    _ = try makeFolder(path.folder)
    try RootMark.checkOwner(of: path.folder)
    let draft = path.folder.appending(LibraryLayout.draftOfMark(mark.root))
    try AtomicFile.replace(draft, with: mark.bytes, durable: true)
    do throws(FileError) {
      let renaming = try renameExclusively(from: draft, to: path)
      try syncFolder(path.folder)
      return renaming
    } catch {
      try RegularFile.remove(draft)
      if error.errno != .fileExists { throw error }
      return nil
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

  /// Returns the ids of the episodes whose records name the file of a part; reads the paths of all
  /// episodes.
  ///
  /// - Throws: errors of the store.
  package func owners(of part: Part) throws -> [EpisodeID] {
    guard let file = FileOwners.File(part) else { return [] }
    return try FileOwners(of: [file], in: store.snapshot())[file].map(\.id)
  }
}
