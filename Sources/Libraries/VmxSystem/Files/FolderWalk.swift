package import SystemPackage

/// Meets every regular file below a folder, once.
///
/// Symbolic links are neither met nor followed, and hidden folders are passed over. The walk goes on
/// behind a folder that cannot be read; the files in it are not met.
package struct FolderWalk {
  private let root: FilePath

  /// A walk below a folder, which itself may be reached by a link, in no particular order.
  package init(_ root: FilePath) {
    self.root = root
  }

  /// Calls the body with the path of each file below the folder and what the kernel says of it,
  /// until it gives false.
  ///
  /// - Returns: an error for each folder that could not be read to its end; folders that were
  ///   removed during the walk are not among them.
  package func forEachFile(_ body: (FilePath, FileFacts) -> Bool) -> [FileError] {
    var folders: [FilePath] = [""]
    var errors: [FileError] = []
    while let path = folders.popLast() {
      do throws(FileError) {
        guard try visit(path, &folders, body) else { return errors }
      } catch {
        // The folder itself may not be gone: a walk that met nothing has shown nothing.
        if path.isEmpty || !error.isOfVanished { errors.append(error) }
      }
    }
    return errors
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
