package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

extension StoreSnapshot {
  /// Returns the episode whose video is the given file; nil if there is none. Follows links.
  ///
  /// - Throws: errors of reading the store.
  package func episode(ofVideo file: FilePath) throws -> Episode? {
    let file = realPath(of: file) ?? file.lexicallyNormalized()
    var found: Episode?
    for (uuid, folder) in rootFolders {
      var relative = realPath(of: folder) ?? folder.lexicallyNormalized()
      guard file.starts(with: relative), file != relative else { continue }
      relative = FilePath(root: nil, file.components.dropFirst(relative.components.count))
      let path = relative.string
      try episodes(matching: EpisodeQuery()) { episode in
        let isVideo = episode.parts.contains {
          $0.role == .video && $0.root == uuid && $0.path == path
        }
        if isVideo { found = episode }
        return found == nil
      }
      if let found { return found }
    }
    return nil
  }

  /// The roots of the library with their folders, also those that are not mounted.
  package var rootFolders: [(uuid: String, folder: FilePath)] {
    var folders: [(uuid: String, folder: FilePath)] = []
    records(of: .root) { record in
      if let path = record.path { folders.append((record.id, FilePath(path))) }
      return true
    }
    return folders
  }
}
