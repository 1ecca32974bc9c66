package import SystemPackage
package import VmxModel
import VmxSystem

/// A folder of media files. A UUID marks it, so that an unmounted folder is never mistaken for
/// deleted files.
package struct MediaRoot: Sendable, Equatable {
  /// Its own UUID.
  package let uuid: String
  /// The folder.
  package let folder: FilePath

  /// Creates a root from verified facts.
  package init(uuid: String, folder: FilePath) {
    self.uuid = uuid
    self.folder = folder
  }

  /// The folder of received originals whose converted form is published; each is named by its
  /// digest.
  var originals: FilePath { folder.appending(LibraryLayout.Folder.originals.path) }

  /// Returns the path of a file or folder below the root.
  package func file(at path: PathBytes) -> FilePath {
    folder.appending(FilePath(bytes: path.bytes).components)
  }
}
