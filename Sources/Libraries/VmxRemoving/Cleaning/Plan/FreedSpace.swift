import VmxLibrary
import VmxModel
import VmxStore

// A file that was imported in place for several episodes is kept until the last of them is removed,
// and hard links share one file until the last link is deleted. Counting the size for each of them
// once removed episodes without freeing the requested space.

/// The bytes that the removal of episodes frees, one episode after the other.
///
///     var space = FreedSpace(in: snapshot) { root, path in … }
///     let removed = space.remove(episode.parts)
struct FreedSpace {
  /// A file on a disk, whatever its names are.
  struct FileID: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Returns the file at a path below a root and the number of its hard links; nil for none.
  typealias Links = (_ root: String, _ path: String) -> (file: FileID, count: Int)?

  /// The effect of the removal of some parts.
  struct Removed {
    /// The number of freed bytes.
    var bytes: Int64 = 0
    /// The files that other episodes or hard links still hold.
    var held: [FileID] = []
  }

  /// The number of remaining episodes of each file that several episodes share, by the hash of its
  /// root and path.
  private var owners: [UInt64: Int] = [:]
  /// The number of remaining hard links of each file that has lost one.
  private var names: [FileID: Int] = [:]
  private let links: Links

  /// Counts the owners of all files; reads the paths of all episodes.
  init(in snapshot: StoreSnapshot, links: @escaping Links) {
    self.links = links
    var hashes: [UInt64] = []
    snapshot.summaries(.paths) { summary in
      hashes += summary.parts.filter { $0.state != .removed }.compactMap(Self.hash)
      return true
    }
    hashes.sort()
    for (hash, next) in zip(hashes, hashes.dropFirst()) where hash == next {
      owners[hash, default: 1] += 1
    }
  }

  /// Removes the files of parts. A file counts when its last owner and its last hard link go.
  mutating func remove(_ parts: [Part]) -> Removed {
    var removed = Removed()
    for part in parts {
      guard let hash = Self.hash(of: part), let root = part.root, let path = part.path,
        let (file, count) = links(root, path)
      else { continue }
      let left = (owners[hash] ?? 1) - 1
      owners[hash] = left
      if left == 0 { names[file] = (names[file] ?? count) - 1 }
      if names[file] == 0 {
        removed.bytes = removed.bytes.addingClamped(part.size?.bytes ?? 0)
      } else {
        removed.held.append(file)
      }
    }
    return removed
  }

  /// Whether a file no longer has any owner and hard link.
  func isFreed(_ file: FileID) -> Bool { names[file] == 0 }

  private static func hash(of part: Part) -> UInt64? {
    guard let root = part.root, let path = part.path else { return nil }
    var hash = StableHash()
    hash.combine(root.utf8)
    hash.combine("/".utf8)
    hash.combine(path.utf8)
    return hash.value
  }
}
