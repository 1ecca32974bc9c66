import SystemPackage
import VmxModel
package import VmxStore
import VmxSystem

/// The disk space that a root uses and leaves free.
package struct RootUsage: Sendable {
  /// The space on the disk of a root that is mounted.
  package struct Disk: Sendable {
    /// The number of free bytes.
    package let free: Int64
    /// The number of bytes in the trash.
    package let trash: Int64
    /// The number of allocated bytes of partial files.
    package let unfinished: Int64
  }

  /// The UUID of the root.
  package let uuid: String
  /// The folder.
  package let path: String
  /// The number of bytes of the media, as recorded.
  package let used: Int64
  /// The space on the disk; nil if the root is unreachable.
  package let disk: Disk?

  /// Returns the usage of all roots of a library, in the order in which they were created.
  ///
  /// - Throws: errors of the file system, except for unreachable roots.
  package static func all(in snapshot: StoreSnapshot) throws -> [RootUsage] {
    var used: [String: Int64] = [:]
    snapshot.summaries(.paths) { episode in
      for part in episode.parts where part.path != nil && part.state != .removed {
        guard let root = part.root, let size = part.size else { continue }
        used[root] = (used[root] ?? 0).addingClamped(size.bytes)
      }
      return true
    }
    var usages: [RootUsage] = []
    try snapshot.records(of: .root) { record in
      let path = record.path ?? ""
      let root = MediaRoot(uuid: record.id, folder: FilePath(path))
      usages.append(
        RootUsage(
          uuid: root.uuid, path: path, used: used[root.uuid] ?? 0, disk: try disk(of: root)))
      return true
    }
    return usages
  }

  private static func disk(of root: MediaRoot) throws -> Disk? {
    do {
      _ = try root.mark()
      return Disk(
        free: try freeSpace(at: root.folder).bytes,
        trash: try bytes(in: .trash, of: root, \.size),
        unfinished: try bytes(in: .partial, of: root, \.allocated))
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return nil
    }
  }

  private static func bytes(
    in kind: LibraryLayout.Folder, of root: MediaRoot, _ size: (FileFacts) -> Int64
  ) throws(FileError) -> Int64 {
    var sum: Int64 = 0
    let errors = forEachFile(below: root.folder.appending(kind.path)) { _, facts in
      sum = sum.addingClamped(size(facts))
      return true
    }
    if let error = errors.first(where: { !$0.isOfVanished }) { throw error }
    return sum
  }
}
