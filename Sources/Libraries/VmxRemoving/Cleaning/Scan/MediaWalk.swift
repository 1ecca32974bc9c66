import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

// File names are handled as bytes throughout. A name with a newline, of 255 bytes or in an invalid
// encoding needs no special case.
//
// The walk does not enter hidden entries, which belong to other programs. Nor does it enter
// symbolic links or other file systems mounted below the root. A folder that contains any of these
// is not empty.

/// A walk over the media below one root, which collects the files without a record.
struct MediaWalk {
  /// The maximum nesting depth of folders.
  private static let maxDepth = 64

  /// The hashes of the recorded paths; a path that exists is marked as found.
  private(set) var known: KnownHashes
  /// Files without a record.
  private(set) var unrecorded: [UnrecordedFile] = []
  /// The temporary files of interrupted replacements.
  private(set) var temporaryFiles: [UnrecordedFile] = []
  /// Folders that contain only empty folders; inner folders come before the folders around them.
  private(set) var empty: [PathBytes] = []
  /// Folders that could not be read completely.
  private(set) var unread: [(path: PathBytes, error: FileError)] = []

  private let nfoHashes: KnownHashes
  private let shouldStop: () -> Bool
  private var device: UInt64 = 0
  private var isStopped = false

  /// Prepares a walk.
  ///
  /// - Parameters:
  ///   - known: the hashes of the recorded paths.
  ///   - nfoHashes: the hashes of the paths of the NFO files that vmx writes beside those files.
  init(
    _ known: KnownHashes, nfoHashes: KnownHashes, shouldStop: @escaping () -> Bool = { false }
  ) {
    self.known = known
    self.nfoHashes = nfoHashes
    self.shouldStop = shouldStop
  }

  /// Walks the whole root. A folder that cannot be read does not end the walk.
  ///
  /// - Throws: `WorkEnded.interrupted`.
  mutating func walk(_ root: MediaRoot) throws {
    do throws(FileError) {
      // The user may have made the root's folder a symbolic link.
      let top = try OpenFolder(root.folder, followingLinks: true)
      device = top.device
      _ = visit(top, path: PathBytes([]), hash: StableHash(), depth: 0)
    } catch {
      unread.append((PathBytes([]), error))
    }
    if isStopped { throw WorkEnded.interrupted }
  }

  /// Processes each entry of a folder.
  ///
  /// - Returns: whether the folder contains only empty folders.
  private mutating func visit(
    _ folder: borrowing OpenFolder, path: PathBytes, hash: StableHash, depth: Int
  ) -> Bool {
    isStopped = isStopped || shouldStop()
    guard !isStopped else { return false }
    var isEmpty = true
    var folders: [[UInt8]] = []
    do throws(FileError) {
      while let entry = try folder.next() {
        switch entry.kind {
        case .folder where !entry.isHidden && depth < Self.maxDepth: folders.append(entry.name)
        case .file:
          isEmpty = false
          try add(entry, in: folder, at: path, hash: hash)
        case .folder, .other: isEmpty = false
        }
      }
    } catch {
      unread.append((path, error))
      isEmpty = false
    }
    for name in folders where !enter(name, in: folder, at: path, hash: hash, depth: depth) {
      isEmpty = false
    }
    return isEmpty
  }

  private mutating func enter(
    _ name: [UInt8], in parent: borrowing OpenFolder, at path: PathBytes, hash: StableHash,
    depth: Int
  ) -> Bool {
    let path = path.appending(name)
    var hash = hash
    hash.combine(name)
    hash.combine(UInt8(ascii: "/"))
    do throws(FileError) {
      let folder = try OpenFolder(name, in: parent)
      guard folder.device == device,
        visit(folder, path: path, hash: hash, depth: depth + 1)
      else { return false }
      empty.append(path)
      return true
    } catch {
      if !error.isOfVanished { unread.append((path, error)) }
      return false
    }
  }

  private mutating func add(
    _ entry: FolderEntry, in folder: borrowing OpenFolder, at path: PathBytes, hash: StableHash
  ) throws(FileError) {
    let inner = hash
    var hash = hash
    hash.combine(entry.name)
    if known.markFound(hash.value) || nfoHashes.haveBeside(hash, entry.name, in: inner) { return }
    let isDraft = LibraryLayout.isTemporary(entry.name)
    guard !entry.isHidden || isDraft, let facts = try folder.facts(of: entry.name) else { return }
    let file = UnrecordedFile(path: path.appending(entry.name), facts: facts)
    if isDraft { temporaryFiles.append(file) } else { unrecorded.append(file) }
  }
}
