package import SystemPackage

/// Walks the regular files below a folder, each once.
///
/// Symbolic links are neither reported nor followed, and hidden folders are skipped. The walk
/// continues after a folder that cannot be read; the files in it are not reported.
package struct FolderWalk {
  private let root: FilePath

  /// Creates a walk below a folder, in no particular order; the folder itself may be a symbolic
  /// link.
  package init(_ root: FilePath) {
    self.root = root
  }

  /// Calls the body with the path and metadata of each file below the folder until it returns
  /// false.
  ///
  /// - Returns: an error for each folder that could not be read completely, except folders that
  ///   were removed during the walk.
  package func forEachFile(_ body: (FilePath, FileFacts) -> Bool) -> [FileError] {
    var folders: [FilePath] = [""]
    var errors: [FileError] = []
    while let path = folders.popLast() {
      do throws(FileError) {
        guard try visit(path, &folders, body) else { return errors }
      } catch {
        // A missing root is an error: a walk without files would otherwise look like an empty
        // folder.
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
