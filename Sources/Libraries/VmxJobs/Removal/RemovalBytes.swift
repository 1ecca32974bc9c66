import SystemPackage
import VmxModel
import VmxSystem

/// The removal machine's door to the files of a part: into the trash, or away for good.
///
/// It removes what the record says is the part's, whatever is unfinished of it, and with the video
/// the sidecar and the NFO file that vmx wrote. Any other file stays.
struct RemovalBytes: PartBytes {
  /// Bytes of an NFO file that is looked at.
  private static let largestNFO = 1 << 20

  let mediaRoots: MediaRoots
  /// The row that the removal belongs to.
  let row: JournalEntry
  let digest: @Sendable (FilePath) throws -> Digest

  func remove(_ context: PartContext) throws {
    let part = context.part
    let roots = try part.root.map { [try mediaRoots.root($0)] } ?? mediaRoots.presentRoots()
    for root in roots {
      let paths = try paths(of: part, in: context.episode, below: root)
      if row.isPermanent || part.role == .key {
        try Self.delete(paths, below: root)
      } else {
        try Trash(root: root).take(paths, of: row)
      }
      for path in paths { try Self.removeEmptyFolders(above: path, in: root) }
    }
  }

  func held(of part: PartContext) throws -> HeldBytes { .some(0) }

  func admit(_ part: PartContext) throws { throw Self.refusal }

  func transfer(_ part: PartContext) throws -> FoundBytes { throw Self.refusal }

  func check(_ part: PartContext) throws -> CheckedBytes { throw Self.refusal }

  func place(_ part: PartContext) throws -> PlacedFile? { throw Self.refusal }

  func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure? { nil }

  private static let refusal = Failure(.internalError, "what is removed is not fetched")

  /// Where the part's files may be, below the root.
  private func paths(
    of part: Part, in episode: Episode, below root: MediaRoot
  ) throws -> [PathBytes] {
    let id = episode.id
    let unfinished = PartFiles(root: "", episode: id, part: part)
    var paths = [unfinished.partial, unfinished.resume, unfinished.made, unfinished.aside]
      .map { PathBytes($0.bytes) }
    if part.root == root.uuid, let path = part.path,
      try isPublished(part)
        || !mediaRoots.isNamed(root.folder.appending(path), in: root, byOtherThan: id)
    {
      paths.append(PathBytes(path))
    }
    guard part.role == .video else { return paths }
    let sidecar = try Sidecar(of: id, below: root.folder)
    if let nfo = sidecar.nfo, try isUnchanged(nfo, below: root) {
      paths.append(PathBytes(nfo.path))
    }
    return paths + [PathBytes(Sidecar.path(of: id, below: "").bytes)]
  }

  /// Whether the part had its file before the removal. The path of one that had not may be that of
  /// another episode's file, which was there first.
  private func isPublished(_ part: Part) -> Bool {
    let before = row.before?.parts.first { $0.name == part.name } ?? part
    return [before.state, before.resumeState].contains { state in
      [.ready, .damaged, .missing].contains(state)
    }
  }

  private func isUnchanged(_ nfo: NFOFile.Written, below root: MediaRoot) throws -> Bool {
    let file = root.folder.appending(nfo.path)
    guard let facts = try FileFacts.of(file), facts.isRegular, facts.size <= Self.largestNFO else {
      return false
    }
    return try digest(file).hex == nfo.sha256
  }

  private static func delete(_ paths: [PathBytes], below root: MediaRoot) throws(FileError) {
    var folders: Set<FilePath> = []
    for path in paths {
      let file = root.file(at: path)
      guard let facts = try FileFacts.of(file), facts.isRegular else { continue }
      try MediaFile.remove(file)
      folders.insert(file.folder)
    }
    for folder in folders { try Trash.syncIfPresent(folder) }
  }

  /// The folders that held nothing else; never a hidden one, and never the root.
  static func removeEmptyFolders(
    above path: PathBytes, in root: MediaRoot
  ) throws(FileError) {
    guard path.bytes.first != UInt8(ascii: ".") else { return }
    var folder = FilePath(bytes: path.bytes).removingLastComponent()
    while !folder.isEmpty {
      guard try Trash.removeIfEmpty(root.folder.appending(folder.components)) else { return }
      folder = folder.removingLastComponent()
    }
  }
}
