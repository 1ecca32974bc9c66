import Glibc
package import SystemPackage
import VmxArchive
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

// A folder is updated as rsync does it: what its manifest lists with the wanted digest stays, a file
// whose episode got another name is renamed, and the rest is copied to a draft, verified on the way
// and renamed. Files of episodes that are not selected stay, and so does every file that no export
// wrote. Before the first change a list of what is to come is written, so that the next run knows
// which files are ours although an interrupted run never came to the manifest. The manifests are
// replaced last.

extension BundleExporter {
  /// Brings the bag in a folder up to date.
  ///
  /// - Parameter deleting: whether the files of episodes that are not in the plan are deleted, as far
  ///   as an export wrote them.
  /// - Throws: `lock-busy` if another export writes to the folder, `disk-full`, `bundle-invalid` for a
  ///   manifest that cannot be read, `WorkEnded.interrupted`, errors of the file system. Damaged
  ///   sources and names that are taken are failures of their episodes.
  package func update(
    _ plan: BundlePlan, _ info: BundleInfo, in folder: FilePath, deleting: Bool = false
  ) throws -> End {
    try makeFolders(folder, mode: .publishedFolder)
    let held = try OpenFile(folder, .readOnly, options: .directory, followingLinks: true)
    guard flock(held.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(.lockBusy, "another export writes to '\(folder)'")
    }
    let before = try ExportedFolder(at: folder)
    let update = FolderUpdate(folder, before, plan)
    try update.removeDrafts()
    try update.announce()
    var moved: [Moved] = []
    let missing = try update.missing(&moved) { try Self.digest(of: $0, shouldStop) }
    try BundleSpace(of: folder).check(
      missing.reduce(0) { $0.addingClamped($1.file.size.bytes) })
    var copying = FolderCopy(
      folder: folder, files: missing, ours: update.ours,
      progress: { [progress] in progress($0, plan.size) })
    try source(of: missing).read(to: &copying)
    let end = End(plan).without(copying.failures)
    try copying.flushFolders()
    // A failed episode keeps its record, so its files get their former names again.
    for file in moved where end.failures[file.placed.episode] != nil {
      try renameNoReplace(
        from: folder.appending(file.placed.file.path), to: folder.appending(file.before))
    }
    try update.finish(end, info, copied: copying.copied, deleting: deleting)
    return end
  }

  private static func digest(
    of path: FilePath, _ shouldStop: @Sendable () -> Bool
  ) throws -> Digest {
    try withFile(path) { try FileDigest.of($0) { _ in shouldStop() }.whole }
  }
}

/// The files that earlier exports wrote to a folder.
package struct ExportedFolder {
  /// The list of what an unfinished update is to write, in the format of a manifest.
  static let pending = ".vmx-update.txt"

  /// The digest of each file by its path, according to the manifest.
  let files: [String: Digest]
  /// The files that an interrupted run may have written.
  let pending: [String: Digest]
  /// The lines of the records, by the id of the episode.
  let records: [String: JSONObject]

  /// The paths of the files of each episode, by its id.
  package var paths: [String: [String]] { records.mapValues(BundleRecord.paths) }

  /// Reads the manifest, the records and the list of an unfinished update.
  ///
  /// - Throws: `bundle-invalid`, errors of reading.
  package init(at folder: FilePath) throws {
    files = try Self.manifest(folder.appending(BundleCopy.manifest))
    pending = try Self.manifest(folder.appending(Self.pending))
    let lines = try Self.text(folder.appending(BundleRecord.fileName))
    let records = try BundleRecords(lines ?? []).compactMap { record in
      record["id"]?.string.map { ($0, record) }
    }
    self.records = Dictionary(records) { $1 }
  }

  private static func text(_ path: FilePath) throws(FileError) -> [UInt8]? {
    try readFile(path, limit: ByteCount(clamping: Int64(BundleLimits().metadata)))
  }

  private static func manifest(_ path: FilePath) throws -> [String: Digest] {
    guard let bytes = try text(path) else { return [:] }
    var files: [String: Digest] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let line = BagManifestLine(line, .sha256), let name = line.path.path.text,
        line.path.path.isPayload, line.path.path.isBelow,
        let digest = Digest(.sha256, bytes: line.digest)
      else { throw Failure(.bundleInvalid, "not a line of a manifest in '\(path)'") }
      files[name] = digest
    }
    return files
  }
}

/// A file that got another name.
private struct Moved {
  let placed: BundlePlan.Placed
  let before: String
}

/// The changes that bring a folder up to date.
private struct FolderUpdate {
  private let folder: FilePath
  private let before: ExportedFolder
  private let plan: BundlePlan
  /// The paths of all files that an export wrote, or may have written.
  let ours: Set<String>

  init(_ folder: FilePath, _ before: ExportedFolder, _ plan: BundlePlan) {
    self.folder = folder
    self.before = before
    self.plan = plan
    ours = Set(before.files.keys).union(before.pending.keys)
  }

  /// Removes the drafts of tag files that an interrupted run has left. No other export uses them, since
  /// this one has the lock of the folder.
  func removeDrafts() throws {
    let open = try OpenFolder(folder, followingLinks: true)
    var drafts: [FilePath] = []
    while let entry = try open.next() {
      if let name = String(validating: entry.name, as: UTF8.self),
        LibraryLayout.isTemporary(name.utf8)
      {
        drafts.append(folder.appending(name))
      }
    }
    for draft in drafts { try RegularFile.remove(draft) }
  }

  /// Writes the list of all files that this run may write or delete, durably.
  func announce() throws {
    var listed = before.files.merging(before.pending) { _, pending in pending }
    for placed in plan.files { listed[placed.file.path] = placed.file.sha256 }
    try AtomicFile.replace(
      folder.appending(ExportedFolder.pending), with: BundleTags.manifest(of: listed),
      mode: .published, durable: true)
  }

  /// Renames the files that have got another name, and returns those that are to be copied.
  func missing(
    _ moved: inout [Moved], _ digest: (FilePath) throws -> Digest
  ) throws -> [BundlePlan.Placed] {
    var movable = movable
    return try plan.files.filter { placed in
      let file = placed.file
      let path = folder.appending(file.path)
      if let facts = try FileFacts.of(path), facts.isRegular, facts.size == file.size.bytes {
        if before.files[file.path] == file.sha256, before.pending[file.path] == nil { return false }
        if try digest(path) == file.sha256 { return false }
      }
      guard let old = movable.removeValue(forKey: file.sha256),
        try RegularFile.size(of: folder.appending(old)) == file.size
      else { return true }
      try makeFolders(path.folder, mode: .publishedFolder)
      do throws(FileError) {
        try renameNoReplace(from: folder.appending(old), to: path)
        moved.append(Moved(placed: placed, before: old))
        return false
      } catch {
        return true
      }
    }
  }

  /// The files of selected episodes that no longer have their names, by their digest.
  private var movable: [Digest: String] {
    let planned = Set(plan.files.map(\.file.path))
    let selected = plan.entries.compactMap { before.records[$0.episode.id.description] }
    var movable: [Digest: String] = [:]
    for path in selected.flatMap(BundleRecord.paths) where !planned.contains(path) {
      if let digest = before.files[path] { movable[digest] = path }
    }
    return movable
  }

  /// Writes the manifests and the other tag files, and deletes the files that are no longer ours.
  ///
  /// - Parameter copied: the paths of the files that this run has copied.
  func finish(
    _ end: BundleExporter.End, _ info: BundleInfo, copied: Set<String>, deleting: Bool
  ) throws {
    let written = Set(end.plan.entries.map(\.episode.id.description))
    let failed = Set(end.failures.keys.map(\.description))
    let kept = before.records.filter { id, _ in
      !written.contains(id) && (!deleting || failed.contains(id))
    }
    var files: [String: BundleTags.Payload] = [:]
    for path in kept.values.flatMap(BundleRecord.paths) {
      guard let digest = before.files[path],
        let size = try RegularFile.size(of: folder.appending(path))
      else { continue }
      files[path] = BundleTags.Payload(size: size.bytes, digest)
    }
    let tags = BundleTags(end.plan, info, keeping: kept, files)
    // The manifest and then the manifest of the tag files come last.
    for tag in tags.files.sorted(by: { $0.rank < $1.rank }) {
      try AtomicFile.replace(
        folder.appending(tag.path), with: tag.bytes, mode: .published, durable: true)
    }
    let listed = Set(files.keys).union(end.plan.files.map(\.file.path))
    for path in ours.union(copied).subtracting(listed) { try remove(path) }
    for path in before.pending.keys { try remove(BundleTags.draft(of: path)) }
    try RegularFile.remove(folder.appending(ExportedFolder.pending))
  }

  /// Removes a file and the folders that it leaves empty.
  private func remove(_ path: String) throws {
    try RegularFile.remove(folder.appending(path))
    var parent = FilePath(path).removingLastComponent()
    while parent.components.count > 1 {
      let full = folder.appending(parent.components)
      guard isFolder(full), try removeFolderIfEmpty(full) else { return }
      parent.removeLastComponent()
    }
  }
}
