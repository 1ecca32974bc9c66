import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleanupExecutor {
  /// Returns the root of a step after reading its marker again.
  func root(_ uuid: String) throws(Failure) -> MediaRoot {
    do {
      return try mediaRoots.root(uuid)
    } catch {
      throw Failure(error)
    }
  }

  /// Throws if the size, modification time or inode of the file differs from the plan.
  func check(_ mark: FileMark, at path: FilePath, of step: CleaningStep) throws {
    let facts = try FileFacts.of(path)
    guard facts.map({ $0.isRegular && FileMark($0) == mark }) == true else {
      throw step.changed(facts == nil ? "the file is gone" : "the file has changed")
    }
  }

  /// Deletes a file that vmx itself has written.
  func deleteFile(
    _ step: CleaningStep, _ file: PlannedFile, of id: EpisodeID?
  ) throws -> OperationResult {
    guard step.action.isAllowed(file.path) else {
      throw step.changed("not a file of this kind")
    }
    let claim = try id.map { try store.claim($0) }
    defer { claim?.release() }
    // A rename may have given the id, and with it the sidecar, to an episode since.
    if case .dropSidecar = step.action, let id, let owner = try store.snapshot().episode(id),
      owner.id == id, owner.parts.contains(where: { $0.path != nil && $0.root == file.root })
    {
      throw step.changed("the sidecar belongs to '\(id)'")
    }
    if case .dropSidecar = step.action, LibraryLayout.Folder.shows.contains(file.path),
      try !ShowSidecar.isObsolete(at: file.path, in: store.snapshot())
    {
      throw step.changed("the show was added")
    }
    let path = try root(file.root).file(at: file.path)
    try check(file.mark, at: path, of: step)
    try removeFile(path)
    return .done
  }

  func discard(_ step: CleaningStep, _ file: PlannedFile) throws -> OperationResult {
    let root = try root(file.root)
    try check(file.mark, at: root.file(at: file.path), of: step)
    let bytes = try removal.discard(file.path, in: root, reason: step.explanation)
    return bytes == nil ? .unchanged() : .done
  }

  func removeFolder(
    _ step: CleaningStep, _ path: PathBytes, root: String
  ) throws -> OperationResult {
    guard path.bytes.first != UInt8(ascii: ".") else { throw step.changed("not a media folder") }
    let root = try self.root(root)
    do throws(FileError) {
      return OperationResult(isChanged: try removeFolderIfEmpty(root.file(at: path)))
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return .unchanged()
    }
  }

  func purge(_ step: CleaningStep, _ name: String, root: String) throws -> OperationResult {
    guard FilePath(name).components.count == 1, FilePath(name).lastComponent?.kind == .regular
    else { throw step.changed("not in the trash") }
    let trash = Trash(root: try self.root(root))
    if let entry = try trash.listedEntry(named: name) {
      try removal.purge(entry, from: trash)
      return .done
    }
    return try purge(unlisted: name, from: trash)
  }

  /// Purges a folder of the trash that has no readable `entry.json`, unless it is so new that a
  /// removal may still be creating it.
  private func purge(unlisted name: String, from trash: Trash) throws -> OperationResult {
    guard LibraryLayout.isTrashEntry(name),
      let facts = try FileFacts.of(trash.folder.appending(name)), facts.isFolder,
      facts.isOlder(than: CleaningOptions.minAge, at: clock.now)
    else { return .unchanged() }
    guard try trash.purge(unlisted: name) else {
      return .unchanged(hint: "it contains more than files; inspect '\(trash.folder)'")
    }
    return .done
  }

  func deleteCached(
    _ step: CleaningStep, _ path: PathBytes, mark: FileMark
  ) throws -> OperationResult {
    guard let cache else { throw step.changed("no cache") }
    let file = cache.appending(FilePath(bytes: path.bytes).components)
    try check(mark, at: file, of: step)
    try removeFile(file)
    return .done
  }

  /// Adds an episode whose record the store has lost, with the files that have its digests. One
  /// that the store has from before it was requested again gets its files back.
  func adopt(
    _ step: CleaningStep, _ id: EpisodeID, file: PlannedFile, sha256: Digest
  ) throws -> OperationResult {
    let claim = try store.claim(id)
    defer { claim.release() }
    let root = try root(file.root)
    guard let record = try RecoverableRecord(of: id, in: root) else {
      throw step.changed("the sidecar has changed")
    }
    var files: [String: PathBytes] = [:]
    for expected in record.expected {
      let isVideo = expected.part == PartRole.video.rawValue
      guard let path = isVideo ? file.path : expected.path.map({ PathBytes($0) }),
        path.isNormalised
      else {
        continue
      }
      let file = root.file(at: path)
      guard try FileFacts.of(file)?.isRegular == true, try removal.digest(file) == expected.sha256
      else { continue }
      files[expected.part] = path
    }
    let now = clock.now
    guard let episode = record.episode(holding: files, root: root.uuid, now: now),
      record.expected.contains(where: { $0.sha256 == sha256 })
    else { throw step.changed("the file has changed") }
    try store.prepare([id], episode.identity)
    let show = try Slug(valid: id.show).flatMap { try ShowSidecar(of: $0, below: root.folder) }
    let adopted = try store.update(.durable) { transaction in
      if let recorded = show?.recorded, try RecordedShow(id.show, in: transaction).isEmpty {
        try transaction.restore(recorded)
      }
      let present = try transaction.episode(id)
      if let present,
        try record.isNewer(thanRemovalOf: present, now: now)
          || record.replaces(unreachableVideoOf: present, on: mediaRoots),
        let returned = record.episode(holding: files, of: present, root: root.uuid, now: now)
      {
        return transaction.recorded(returned)
      }
      if let known = try present ?? other(episode, in: &transaction) {
        throw step.changed("'\(known.id)' was added to the store")
      }
      return transaction.recorded(episode)
    }
    _ = sidecars.write(adopted)
    return .done
  }

  /// Returns another episode that has the same identity.
  private func other(
    _ episode: Episode, in transaction: inout StoreTransaction
  ) throws -> Episode? {
    try transaction.find(episode.identity.filter(\.isIdentifying)).first.flatMap {
      try transaction.episode($0)
    }
  }
}

extension CleaningAction {
  /// Whether a path is in the folder for files of its kind. A plan is input and may contain any
  /// path.
  fileprivate func isAllowed(_ path: PathBytes) -> Bool {
    guard path.isNormalised else { return false }
    return switch self {
    case .dropPartial: LibraryLayout.Folder.partial.contains(path)
    case .dropOriginal: LibraryLayout.Folder.originals.contains(path)
    case .dropSidecar:
      LibraryLayout.Folder.records.contains(path) || LibraryLayout.Folder.shows.contains(path)
    case .dropDraft:
      LibraryLayout.isTemporary(path.lastName.utf8)
        || path.displayText == "\(LibraryLayout.hidden)/\(path.lastName)"
          && LibraryLayout.isDraftOfMark(Array(path.lastName.utf8))
    default: false
    }
  }
}
