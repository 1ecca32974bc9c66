import Synchronization
package import SystemPackage
import VmxModel
import VmxSystem

// A root is its mark; its recorded path is a hint. The record contains the absolute path at which
// the root was last used. A disk may be mounted elsewhere, and the default root lies inside the
// home and is moved or copied with it. So the folder of a root is searched for its mark: for the
// default root first in this home, since the recorded path may be that of the original of a copied
// home, then at the recorded path, in the configured folders, and in the top folders of mounted
// file systems. The search reads names and marks, and no trees.

/// Finds the present folders of roots by their marks.
///
///     let root = RootLocator(home, folders: options.roots).located(record)
package final class RootLocator: Sendable {
  /// The time for which the result of a search is used, in milliseconds.
  private static let validity: (found: Int64, missing: Int64) = (1_000, 5_000)

  private struct Found: Sendable {
    let recorded: String
    let folder: String
    let end: Deadline
  }

  private let home: LibraryHome
  private let folders: [FilePath]
  private let mounts: @Sendable () -> [FilePath]
  private let found = Mutex<[String: Found]>([:])

  /// Creates a locator.
  ///
  /// - Parameters:
  ///   - folders: the configured folders of roots.
  ///   - mounts: returns the mount points to search.
  package init(
    _ home: LibraryHome, folders: [FilePath] = [],
    mounts: @escaping @Sendable () -> [FilePath] = mountedFolders
  ) {
    self.home = home
    self.folders = folders
    self.mounts = mounts
  }

  /// Returns the record of a root with the present folder of the root as its path. Without any
  /// folder with its mark, or for any other record, returns the record unchanged.
  func located(_ record: StoredRecord) -> StoredRecord {
    guard record.kind == .root, let recorded = record.path else { return record }
    let folder = folder(
      of: record.id, recorded, isDefault: record.fields[LibraryHome.defaultRootField]?.bool == true)
    guard folder != recorded else { return record }
    var located = record
    located.fields["path"] = .string(folder)
    return located
  }

  private func folder(of root: String, _ recorded: String, isDefault: Bool) -> String {
    let known = found.withLock { $0[root] }
    if let known, known.recorded == recorded, !known.end.isPast { return known.folder }
    let match = search(for: root, recorded: FilePath(recorded), isDefault: isDefault)
    let folder = match?.string ?? recorded
    let end = Deadline(
      milliseconds: match == nil ? Self.validity.missing : Self.validity.found)
    found.withLock { $0[root] = Found(recorded: recorded, folder: folder, end: end) }
    return folder
  }

  private func search(for root: String, recorded: FilePath, isDefault: Bool) -> FilePath? {
    func isRoot(_ folder: FilePath) -> Bool { LibraryHome.mark(of: folder)?.root == root }
    let near = (isDefault ? [home.defaultRoot] : []) + [recorded] + folders
    if let folder = near.first(where: isRoot) { return folder }
    for mount in mounts() {
      // The same folder below another mount point: the last components of the recorded path.
      var below = FilePath()
      for component in recorded.components.reversed() {
        below = FilePath(root: nil, [component] + Array(below.components))
        let folder = mount.appending(below.components)
        if isRoot(folder) { return folder }
      }
      if isRoot(mount) { return mount }
      if let folder = subfolders(of: mount).first(where: isRoot) { return folder }
    }
    return nil
  }
}
