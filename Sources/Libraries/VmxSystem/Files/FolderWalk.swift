package import SystemPackage

/// Meets every regular file below a folder, once.
///
/// Symbolic links are neither met nor followed, and hidden folders are passed over. A folder that
/// goes away or cannot be read while the walk is on is passed over too: what it held is not met.
package struct FolderWalk {
  private let root: FilePath

  /// A walk below a folder, which itself may be reached by a link, in no particular order.
  package init(_ root: FilePath) {
    self.root = root
  }

  /// Calls the body with the path of each file below the folder and what the kernel says of it,
  /// until it gives false.
  package func forEachFile(_ body: (FilePath, FileFacts) -> Bool) {
    var folders: [FilePath] = [""]
    while let path = folders.popLast() {
      do throws(FileError) {
        guard try visit(path, &folders, body) else { return }
      } catch {
        continue
      }
    }
  }

  private func visit(
    _ path: FilePath, _ folders: inout [FilePath], _ body: (FilePath, FileFacts) -> Bool
  ) throws(FileError) -> Bool {
    let folder = try OpenFolder(
      path.isEmpty ? root : root.pushing(path), followingLinks: path.isEmpty)
    while let entry = try folder.next() {
      let path = path.appending(entry: entry.name)
      switch entry.kind {
      case .folder: if !entry.isHidden { folders.append(path) }
      case .file:
        guard let facts = try folder.facts(of: entry.name), facts.isRegular else { continue }
        if !body(path, facts) { return false }
      case .other: continue
      }
    }
    return true
  }
}
