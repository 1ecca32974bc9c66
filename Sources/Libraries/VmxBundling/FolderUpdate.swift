import SystemPackage
import VmxArchive
import VmxLibrary
import VmxModel
import VmxSystem

/// Plans and makes the changes that update an exported folder.
///
///     var update = FolderUpdate(before, plan)
///     let missing = try update.survey(until: { false }) { try digest(of: $0) }
///     try update.announce(copying: missing)
///     try update.rename()
///     // Copy the missing files.
///     try update.finish(end, info, removing: []) { _ in false }
struct FolderUpdate {
  /// A file to rename.
  private struct Move {
    let planned: BundlePlan.Placed
    let before: String
  }

  private let before: ExportedFolder
  private var plan: BundlePlan
  private var moves: [Move] = []
  /// The failures of episodes with a planned name that exists and that no export wrote.
  private(set) var failures: [EpisodeID: Failure] = [:]
  /// The paths of files that this update has renamed.
  private var renamed: Set<String> = []
  /// Whether the digest of a file was taken from the manifest.
  private(set) var hasUnread = false

  init(_ before: ExportedFolder, _ plan: BundlePlan) {
    self.before = before
    self.plan = plan
  }

  /// Whether an export wrote, renamed, or may have written the file at a path.
  func isExported(_ path: String) -> Bool {
    before.exportedDigest(path) != nil || renamed.contains(path)
  }

  private func path(_ name: String) -> FilePath { before.path.appending(name) }

  /// Removes the temporary tag files of an interrupted run, and completes its renames of folders.
  /// No other update uses these files, since this one holds the lock of the folder. The temporary
  /// file of an archive that another export writes there has its own lock, and is kept.
  func recover() throws {
    let open = try OpenFolder(before.path, followingLinks: true)
    var drafts: [FilePath] = []
    while let entry = try open.next() {
      guard entry.kind == .file, LibraryLayout.isTemporary(entry.name) else { continue }
      drafts.append(before.path.appending(entry: entry.name))
    }
    for draft in drafts { try TemporaryArchive.removeUnused(draft) }
    for folder in folders(of: plan.files.lazy.map(\.file.path)) {
      let draft = path(BundleTags.draft(of: folder))
      guard try FileFacts.of(draft)?.isFolder == true else { continue }
      try renameReplacing(from: draft, to: path(folder))
    }
  }

  /// Finds the files to rename, and returns those to copy. If another file has one of its names,
  /// the whole episode fails before anything is written.
  ///
  /// A file in the list of an unfinished update is digested, since it may be incomplete.
  ///
  /// - Throws: `WorkEnded.interrupted` once `shouldStop` returns true, errors of the file system.
  mutating func survey(
    until shouldStop: () -> Bool, _ digest: (FilePath) throws -> Digest
  ) throws -> PlannedFiles {
    // Built only if a planned path exists that no export wrote under this spelling.
    var spelled: [String: String]?
    let blocked = try blockedFolders()
    var movable = try movableFiles()
    let missing = try plan.files.chosen { placed in
      if shouldStop() { throw WorkEnded.interrupted }
      let file = placed.file
      if let folder = blocked.first(where: { file.path.hasPrefix("\($0)/") }) {
        fail(placed, folder)
        return false
      }
      if let facts = try self.facts(of: file.path) {
        var old = file.path
        if !isExported(old) {
          let known =
            spelled
            ?? Dictionary(before.exportedPaths.map { ($0.foldedName, $0) }) { first, _ in first }
          spelled = known
          if let other = known[old.foldedName], try isSame(other, facts) {
            old = other
            moves.append(Move(planned: placed, before: old))
          }
        }
        if facts.isRegular, facts.size == file.size.bytes {
          if before.known(old, facts) == file.sha256 {
            hasUnread = true
            return false
          }
          if try digest(path(file.path)) == file.sha256 { return false }
        }
        if facts.isFolder || !isExported(old) { fail(placed, file.path) }
        return true
      }
      guard let old = try previousPath(of: file, &movable, digest) else { return true }
      hasUnread = true
      moves.append(Move(planned: placed, before: old))
      return false
    }
    plan.remove(Set(failures.keys))
    moves.removeAll { failures[$0.planned.episode] != nil }
    return missing.chosen { failures[$0.episode] == nil }
  }

  /// Returns the paths of planned folders at which something other than a folder exists.
  private func blockedFolders() throws -> [String] {
    var blocked: [String] = []
    for folder in ["data"] + folders(of: plan.files.lazy.map(\.file.path))
    where !blocked.contains(where: { folder.hasPrefix("\($0)/") }) {
      if try facts(of: folder) != nil, !isFolder(path(folder)) { blocked.append(folder) }
    }
    return blocked
  }

  private mutating func fail(_ placed: BundlePlan.Placed, _ taken: String) {
    let failure = FolderCopy.nameTaken(path(taken))
    failures[placed.episode] = failures[placed.episode] ?? failure
  }

  /// Returns the path of a file to rename to a planned one; nil if there is none. It is the
  /// temporary file of an interrupted run, or a file under an earlier name.
  private func previousPath(
    of file: BundlePlan.File, _ movable: inout [Digest: String],
    _ digest: (FilePath) throws -> Digest
  ) throws -> String? {
    let draft = BundleTags.draft(of: file.path)
    if try isRegular(draft, of: file.size), try digest(path(draft)) == file.sha256 {
      return draft
    }
    guard let old = movable.removeValue(forKey: file.sha256),
      try isRegular(old, of: file.size)
    else { return nil }
    return old
  }

  /// The files of selected episodes under names that are no longer planned, by digest.
  ///
  /// - Throws: errors of reading the earlier records.
  private func movableFiles() throws -> [Digest: String] {
    // A hash collision costs only an unnecessary copy.
    let planned = Set(plan.files.lazy.map(\.file.path.foldedName.hashValue))
    var movable: [Digest: String] = [:]
    for entry in plan.entries {
      for path in try before.records.records(of: entry.id).flatMap(BundleRecord.paths)
      where !planned.contains(path.foldedName.hashValue) {
        if let digest = before.exportedDigest(path) { movable[digest] = path }
      }
    }
    return movable
  }

  /// Writes the records of the episodes whose files this run may change, and then the list of all
  /// files that it may write or delete, durably. The list never contains an existing file that no
  /// export wrote.
  func announce(copying missing: PlannedFiles) throws {
    // A hash collision only adds the record of an unchanged episode.
    let changed = Set(
      [AnySequence(missing.lazy.map(\.episode)), AnySequence(moves.lazy.map(\.planned.episode))]
        .joined().lazy.map(\.hashValue))
    let changes = BundlePlan(
      plan.entries.lazy.filter { changed.contains($0.id.hashValue) }, of: plan)
    try before.replace(ExportedFolder.pendingRecordsName) {
      try BundleTags.writeRecords(of: changes, EarlierRecords(), to: $0)
    }
    let written = try plan.files.chosen { placed in
      try isExported(placed.file.path) || facts(of: placed.file.path) == nil
    }
    var ours = FileDigests()
    for path in before.exportedPaths {
      if let digest = before.exportedDigest(path) { ours.set(path, digest) }
    }
    try before.replacePending(with: ours, written)
  }

  /// Renames the files whose names have changed, and the folders whose names differ only in case.
  mutating func rename() throws {
    let olds = Dictionary(folders(of: before.exportedPaths).map { ($0.foldedName, $0) }) {
      first, _ in
      first
    }
    for folder in folders(of: plan.files.lazy.map(\.file.path)) {
      guard let old = olds[folder.foldedName], old != folder,
        let facts = try self.facts(of: folder), try isSame(old, facts)
      else { continue }
      try rename(old, to: folder)
    }
    for move in moves {
      let name = move.planned.file.path
      try before.makeFolders(above: name)
      try rename(move.before, to: name)
      renamed.insert(name)
    }
  }

  /// Renames a file or folder, through a temporary name if the file system treats both names as
  /// equal. `renameReplacing` replaces a folder only if it is empty.
  private func rename(_ old: String, to new: String) throws(FileError) {
    guard let facts = try self.facts(of: new), try isSame(old, facts) else {
      return try renameNoReplace(from: path(old), to: path(new))
    }
    let draft = path(BundleTags.draft(of: new))
    try renameReplacing(from: path(old), to: draft)
    try facts.isFolder
      ? renameReplacing(from: draft, to: path(new)) : renameNoReplace(from: draft, to: path(new))
  }

  private func facts(of name: String) throws(FileError) -> FileFacts? {
    try FileFacts.ifPresent(at: path(name))
  }

  private func isRegular(_ name: String, of size: ByteCount) throws(FileError) -> Bool {
    guard let facts = try self.facts(of: name) else { return false }
    return facts.isRegular && facts.size == size.bytes
  }

  /// Whether a path names the file with this metadata, by device and inode.
  private func isSame(_ name: String, _ facts: FileFacts) throws(FileError) -> Bool {
    guard let other = try self.facts(of: name) else { return false }
    return other.inode == facts.inode && other.device == facts.device
  }

  /// Returns the folders of the paths, below the payload folder, each after its parent.
  private func folders(of paths: some Sequence<String>) -> [String] {
    var folders: Set<String> = []
    for path in paths {
      var folder = FilePath(path).removingLastComponent()
      while folder.components.count > 1, folders.insert(folder.string).inserted {
        folder.removeLastComponent()
      }
    }
    return folders.sorted()
  }

  /// Renames the files of failed episodes back to their earlier names.
  func restoreNames(of failed: Set<EpisodeID>) throws {
    for move in moves where failed.contains(move.planned.episode) {
      try rename(move.planned.file.path, to: move.before)
    }
  }

  /// Writes the manifests and the other tag files, and deletes the files that are no longer needed.
  ///
  /// - Parameters:
  ///   - vain: the paths of files that this run copied for episodes that failed later.
  ///   - mayDelete: whether the files of an episode outside the plan are deleted. Those of failed
  ///     episodes are always kept.
  /// - Returns: the episodes of earlier exports that are kept, with their videos.
  func finish(
    _ end: BundleExporter.End, _ info: BundleInfo, removing vain: Set<String>,
    deleting mayDelete: (EpisodeID) -> Bool
  ) throws -> [EpisodeID: BundleCopy.Video] {
    let kept = before.records.chosen { recorded in
      guard let id = EpisodeID(valid: before.records.currentID(of: recorded)) else { return true }
      return !end.plan.contains(id) && (end.failures[id] != nil || !mayDelete(id))
    }
    var files: [String: BundleTags.Payload] = [:]
    func keep(_ name: String) throws {
      guard let digest = before.listed[name], let facts = try self.facts(of: name),
        facts.isRegular
      else { return }
      files[name] = BundleTags.Payload(size: facts.size, digest)
    }
    var videos: [EpisodeID: String?] = [:]
    try kept.forEach { id, record in
      for name in BundleRecord.paths(in: record) { try keep(name) }
      if let id = EpisodeID(valid: id) { videos[id] = BundleRecord.video(in: record) }
    }
    for name in (0..<before.listed.count).lazy.map(before.listed.path) where !isExported(name) {
      try keep(name)
    }
    let tags = try BundleTags(end.plan, info: info, keeping: kept, more: files)
    try before.replaceTags(with: tags)
    // A hash collision only leaves a file that could be deleted.
    let planned = Set(end.plan.files.lazy.map(\.file.path.hashValue))
    let written = [AnySequence(before.exportedPaths), AnySequence(renamed), AnySequence(vain)].lazy
      .joined()
    let left = Set(written.filter { files[$0] == nil && !planned.contains($0.hashValue) })
    try remove(left, for: end.plan.files, files.keys)
    for name in (0..<before.pending.count).lazy.map(before.pending.path) {
      try RegularFile.remove(path(BundleTags.draft(of: name)))
    }
    try RegularFile.remove(path(ExportedFolder.pendingName))
    try RegularFile.remove(path(ExportedFolder.pendingRecordsName))
    return videos.mapValues { path in
      BundleCopy.Video(path.flatMap { files[$0]?.digest }, path: path)
    }
  }

  /// Deletes files that are not planned, and the folders that become empty. A name that the file
  /// system treats as equal to a planned or kept one is not deleted.
  private func remove(
    _ names: Set<String>, for planned: PlannedFiles, _ kept: some Collection<String>
  ) throws {
    if names.isEmpty { return }
    let folded = Set(names.map(\.foldedName))
    var spelled: [String: String] = [:]
    for path in [AnySequence(kept), AnySequence(planned.lazy.map(\.file.path))].joined()
    where folded.contains(path.foldedName) {
      spelled[path.foldedName] = path
    }
    for name in names {
      guard let facts = try self.facts(of: name) else { continue }
      if let other = spelled[name.foldedName], try isSame(other, facts) { continue }
      try RegularFile.remove(path(name))
      var parent = FilePath(name).removingLastComponent()
      while parent.components.count > 1, isFolder(path(parent.string)),
        try removeFolderIfEmpty(path(parent.string))
      {
        parent.removeLastComponent()
      }
    }
  }
}
