import Glibc
package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
package import VmxModel
package import VmxSystem

// An export wrote a file if the records name it with the digest that the manifest lists. It may
// have written a file that the list of an unfinished update contains. A manifest alone proves
// nothing: another program or the user may have written it. So a folder with the bag of another
// program is refused. Files that only the manifest lists are kept, both in the folder and in the
// manifest.

/// A folder that exports write to, with the manifest and records of earlier exports. It need not
/// exist yet.
///
/// While it is open and locked (flock), no other export writes to it.
package final class ExportedFolder {
  /// The name of the list of files that an unfinished update may write, in the format of a
  /// manifest.
  static let pendingName = ".vmx-update.txt"
  /// The name of the file with the records of the episodes whose files an unfinished update may
  /// change, in the format of the records of a bundle.
  static let pendingRecordsName = ".vmx-update.jsonl"

  /// The path.
  package let path: FilePath
  /// The digests of the files according to the manifest.
  let listed: FileDigests
  /// The digests of the files that an interrupted update may have written.
  let pending: FileDigests
  /// The records of the episodes.
  let records: EarlierRecords
  /// The records of the episodes whose files an interrupted update may have changed.
  let interrupted: EarlierRecords
  /// The time of the last modification of the manifest, in nanoseconds since 1970.
  let modified: Int64
  /// The tag files of earlier exports that not every bundle has.
  let optionalTags: [String]
  /// Whether an export wrote the file with this number in `listed`, by number.
  private var isExported: [Bool]
  /// Whether files are digested although their size and time have not changed: a verification of
  /// the folder has failed, or the user requests it.
  private let readsAll: Bool
  private let lock: Lock?
  private let currentID: (EpisodeID) throws -> EpisodeID?

  private static let optionalTagNames = [BagFetchLine.name, BundleTags.playlist]

  /// Whether no other export writes to the folder while it is open.
  var isLocked: Bool { lock != nil }

  /// Returns the digest of a file that an export wrote, or may have written; nil for other files.
  func exportedDigest(_ path: String) -> Digest? {
    if let number = listed.number(of: path), isExported[number] { return listed.digest(number) }
    return pending[path]
  }

  /// The paths of all files that an export wrote, or may have written.
  var exportedPaths: some Sequence<String> {
    let listed = (0..<listed.count).lazy.filter { [isExported] in isExported[$0] }
      .map { [listed] in listed.path($0) }
    let pending = (0..<pending.count).lazy.map { [pending] in pending.path($0) }
      .filter { [listed = self.listed, isExported] in
        listed.number(of: $0).map { !isExported[$0] } ?? true
      }
    return [AnySequence(listed), AnySequence(pending)].lazy.joined()
  }

  /// Opens a folder and reads the manifest, the records and the list of an unfinished update.
  ///
  /// - Parameters:
  ///   - wait: the wait for the lock of an existing folder, which excludes other exports while it
  ///     is open; nil to open it without a lock.
  ///   - readsAll: whether files are digested although their size and time have not changed.
  ///   - currentID: returns the id that an episode has now; nil for an unknown episode.
  /// - Throws: `lock-busy` if another export still writes to it after the timeout,
  ///   `WorkEnded.interrupted`, `name-taken` for the bag of another program. `bundle-invalid` for a
  ///   manifest or records that cannot be read, and errors of reading.
  package convenience init(
    at path: FilePath, wait: LockWait?, readsAll: Bool = false,
    currentID: @escaping (EpisodeID) throws -> EpisodeID? = { $0 }
  ) throws {
    guard try FileFacts.of(path) == nil || isFolder(path) else {
      throw Failure(
        .nameTaken, "not a folder: '\(path)'", hint: "choose another name, or another --type")
    }
    let lock = try isFolder(path) ? wait.map { try Lock(path, $0) } : nil
    try self.init(path, lock: lock, readsAll: readsAll, currentID: currentID)
  }

  private init(
    _ path: FilePath, lock: Lock?, readsAll: Bool,
    currentID: @escaping (EpisodeID) throws -> EpisodeID?
  ) throws {
    (self.path, self.lock, self.readsAll, self.currentID) = (path, lock, readsAll, currentID)
    let manifest = BagManifestName(.sha256).file
    modified = try FileFacts.of(path.appending(manifest))?.modified ?? 0
    let listed = try Self.manifest(manifest, in: path)
    let pending = try Self.manifest(Self.pendingName, in: path)
    let records = try EarlierRecords(BundleRecord.fileName, in: path, currentID: currentID)
    if isFolder(path) {
      try Self.refuseForeignBag(
        in: path, hasRecords: records != nil, isUnfinished: pending != nil && listed == nil)
    }
    self.records = records ?? EarlierRecords()
    interrupted =
      try EarlierRecords(Self.pendingRecordsName, in: path, currentID: currentID)
      ?? EarlierRecords()
    let tags = try Self.manifest(
      BagManifestName(.sha256, isOfTags: true).file, in: path, isOfPayload: false)
    optionalTags = Self.optionalTagNames.filter { tags?[$0] != nil }
    self.listed = listed ?? FileDigests()
    self.pending = pending ?? FileDigests()
    isExported = [Bool](repeating: false, count: self.listed.count)
    try self.records.forEach { _, record in
      for file in BundleRecord.files(in: record) {
        guard let number = self.listed.number(of: file.path) else { continue }
        if file.sha256.map({ $0 == self.listed.digest(number).hex }) ?? true {
          isExported[number] = true
        }
      }
    }
  }

  /// Returns the folder with the content that it has now, under the same lock.
  ///
  /// - Throws: as `init`.
  func reopened() throws -> ExportedFolder {
    try ExportedFolder(path, lock: lock, readsAll: readsAll, currentID: currentID)
  }

  /// Returns the folder after creating and locking it if necessary.
  ///
  /// - Throws: `lock-busy` if another export wrote to the folder first, `WorkEnded.interrupted`,
  ///   errors of the file system.
  func createIfNeeded(wait: LockWait) throws -> ExportedFolder {
    if lock != nil { return self }
    do throws(FileError) {
      _ = try makeFolder(path, mode: .publishedFolder)
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      // The folder above may be on a disk that is not mounted, and is never created.
      throw Failure(
        .mediaUnwritable, "the folder of the export is missing: '\(path.folder)'",
        hint: "mount the disk that holds it, or create it with 'mkdir -p'")
    }
    let made = try ExportedFolder(at: path, wait: wait)
    guard made.records.isEmpty, made.pending.count == 0 else {
      // The plan was made for an empty folder.
      throw Failure(.lockBusy, "another export has written to '\(path)'")
    }
    return made
  }

  /// Creates the missing folders of a file, relative to the folder that is open since it was
  /// locked. So an update never continues at the mount point of a disk that was unplugged.
  ///
  /// - Returns: the created folders, outermost first.
  @discardableResult
  func makeFolders(above file: String) throws(FileError) -> [FilePath] {
    let below = FilePath(file).removingLastComponent()
    if let lock { return try lock.makeFolders(below, at: path) }
    let open = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
    return try VmxSystem.makeFolders(
      below, below: open.descriptor, at: path, mode: .publishedFolder)
  }

  /// Returns the recorded digest of a file that an export wrote; nil if an unfinished update may
  /// have rewritten it, or if it was changed after the manifest, which an export writes last.
  func known(_ path: String, _ facts: FileFacts) -> Digest? {
    guard !readsAll, pending[path] == nil, facts.modified <= modified else { return nil }
    return exportedDigest(path)
  }

  /// Returns the digests of a manifest in a folder, by path; nil if there is no such manifest.
  ///
  /// - Throws: `bundle-invalid`, errors of reading.
  static func manifest(
    _ name: String, in folder: FilePath, isOfPayload: Bool = true
  ) throws -> FileDigests? {
    let text = try SpooledText(of: folder.appending(name), limit: BundleLimits().metadata)
    guard let text else { return nil }
    var files = FileDigests()
    try text.forEachLine { range in
      let line = Substring(decoding: try text.bytes(range), as: UTF8.self)
      guard let line = BagManifestLine(line, .sha256), let name = line.path.path.text,
        line.path.path.isPayload == isOfPayload, line.path.path.isNormalised,
        let digest = Digest(.sha256, bytes: line.digest)
      else { throw Failure(.bundleInvalid, "not a line of a manifest in '\(folder)/\(name)'") }
      files.set(name, digest)
    }
    return files
  }

  /// Refuses a folder with tag files that no export of vmx wrote.
  ///
  /// - Parameter isUnfinished: whether the first export to the folder was interrupted before it
  ///   wrote its manifest.
  /// - Throws: `name-taken`, errors of reading.
  private static func refuseForeignBag(
    in path: FilePath, hasRecords: Bool, isUnfinished: Bool
  ) throws {
    let folder = try OpenFolder(path, followingLinks: true)
    while let entry = try folder.next() {
      guard let name = String(validating: entry.name, as: UTF8.self) else { continue }
      let manifest = BagManifestName(PathBytes(name))
      let isTag =
        manifest != nil || [BagDeclaration.name, BagInfo.name, BagFetchLine.name].contains(name)
      // A manifest of another algorithm would no longer match the files after the update.
      guard isTag, manifest.map({ $0.known != .sha256 }) ?? false || !hasRecords && !isUnfinished
      else { continue }
      throw Failure(
        .nameTaken, "a file of another program's bag is in the way: '\(path.appending(name))'",
        hint: "export to another folder, or to a file")
    }
  }
}

/// The lock of an open folder, which excludes other exports (flock).
private final class Lock {
  private let file: OpenFile

  init(_ path: FilePath, _ wait: LockWait) throws {
    let file = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
    let isHeld = try wait.acquire { flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 }
    guard isHeld else { throw TemporaryArchive.busy(path) }
    self.file = file
  }

  func makeFolders(_ below: FilePath, at path: FilePath) throws(FileError) -> [FilePath] {
    try VmxSystem.makeFolders(below, below: file.descriptor, at: path, mode: .publishedFolder)
  }
}

// MARK: - Replacing the tag files

extension ExportedFolder {
  /// Replaces a file, durably, with the bytes that the closure writes.
  func replace(
    _ name: String, _ write: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    try AtomicFile.replace(
      path.appending(name), mode: .published, durable: true, writing: write)
  }

  /// Replaces the tag files. The payload manifest and then the tag manifest are replaced last.
  func replaceTags(with tags: BundleTags) throws {
    for tag in tags.files.sorted(by: { $0.rank < $1.rank }) { try replace(tag.path, tag.write) }
    for name in optionalTags where !tags.files.contains(where: { $0.path == name }) {
      try RegularFile.remove(path.appending(name))
    }
  }

  /// Replaces the list of the files that an unfinished update may write or delete.
  func replacePending(with files: FileDigests, _ planned: PlannedFiles) throws {
    try replace(Self.pendingName) {
      try BundleTags.writeManifest(of: planned, files.sorted, to: $0)
    }
  }
}
