import SystemPackage
import VmxJobs
import VmxModel
import VmxSystem

// Names are bytes from beginning to end: a name with a newline, of 255 bytes or in no encoding is
// one like any other. Hidden entries belong to other programs, links lead elsewhere, and another
// file system below the root has reasons of its own: nothing of that is entered, and a folder that
// holds any of it is not empty.

/// A walk over the media below one root, with what no record names.
struct MediaWalk {
  /// Folders within folders that are entered at most.
  private static let deepest = 64

  /// Paths that records name; those that stand there have been met.
  private(set) var known: KnownHashes
  /// Files without a record.
  private(set) var loose: [LooseFile] = []
  /// Drafts.
  private(set) var drafts: [LooseFile] = []
  /// Folders without anything but empty folders, those inside before those around them.
  private(set) var empty: [PathBytes] = []
  /// Folders that could not be read, or not to their end.
  private(set) var unread: [(path: PathBytes, error: FileError)] = []

  private let companions: KnownHashes
  private let shouldStop: () -> Bool
  private var device: UInt64 = 0
  private var isStopped = false

  /// A walk that is to be begun.
  ///
  /// - Parameters:
  ///   - known: hashes of the paths that records name.
  ///   - companions: hashes of the paths that vmx itself writes beside those.
  init(
    _ known: KnownHashes, companions: KnownHashes, shouldStop: @escaping () -> Bool = { false }
  ) {
    self.known = known
    self.companions = companions
    self.shouldStop = shouldStop
  }

  /// Walks over all of it; a folder that cannot be read does not end the walk.
  ///
  /// - Throws: `WorkEnded.interrupted`.
  mutating func walk(_ root: MediaRoot) throws {
    do throws(FileError) {
      // The folder of a root may be a link of the person's.
      let top = try OpenFolder(root.folder, followingLinks: true)
      device = top.device
      _ = visit(top, path: [], hash: StableHash(), depth: 0)
    } catch {
      unread.append((PathBytes([]), error))
    }
    if isStopped { throw WorkEnded.interrupted }
  }

  /// Looks at each entry of a folder.
  ///
  /// - Returns: whether there is nothing in it but empty folders.
  private mutating func visit(
    _ folder: borrowing OpenFolder, path: [UInt8], hash: StableHash, depth: Int
  ) -> Bool {
    isStopped = isStopped || shouldStop()
    guard !isStopped else { return false }
    var isEmpty = true
    var folders: [[UInt8]] = []
    do throws(FileError) {
      while let entry = try folder.next() {
        switch entry.kind {
        case .folder where !entry.isHidden && depth < Self.deepest: folders.append(entry.name)
        case .file:
          isEmpty = false
          try meet(entry, in: folder, path, hash)
        case .folder, .other: isEmpty = false
        }
      }
    } catch {
      unread.append((PathBytes(path), error))
      isEmpty = false
    }
    for name in folders where !enter(name, in: folder, path, hash, depth) { isEmpty = false }
    return isEmpty
  }

  private mutating func enter(
    _ name: [UInt8], in parent: borrowing OpenFolder, _ path: [UInt8], _ hash: StableHash,
    _ depth: Int
  ) -> Bool {
    let path = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
    var hash = hash
    hash.combine(name)
    hash.combine(UInt8(ascii: "/"))
    do throws(FileError) {
      let folder = try OpenFolder(name, in: parent)
      guard folder.device == device,
        visit(folder, path: path, hash: hash, depth: depth + 1)
      else { return false }
      empty.append(PathBytes(path))
      return true
    } catch {
      if !error.isOfVanished { unread.append((PathBytes(path), error)) }
      return false
    }
  }

  private mutating func meet(
    _ entry: FolderEntry, in folder: borrowing OpenFolder, _ path: [UInt8], _ hash: StableHash
  ) throws(FileError) {
    var hash = hash
    hash.combine(entry.name)
    if known.meet(hash.value) || companions.contains(hash.value) { return }
    let isDraft = AtomicFile.isTemporary(entry.name)
    guard !entry.isHidden || isDraft, let facts = try folder.facts(of: entry.name) else { return }
    let whole = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
    let file = LooseFile(path: PathBytes(whole), facts: facts)
    if isDraft { drafts.append(file) } else { loose.append(file) }
  }
}
