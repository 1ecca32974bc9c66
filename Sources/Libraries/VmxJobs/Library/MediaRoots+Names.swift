import SystemPackage
import VmxModel
import VmxStore

extension MediaRoots {
  /// Whether the record of another episode names the file: two episodes may have the same bytes
  /// and the same title.
  ///
  /// Reads the paths of all episodes.
  ///
  /// - Throws: what the store throws.
  func isNamed(
    _ file: FilePath, in root: MediaRoot, byOtherThan id: EpisodeID
  ) throws -> Bool {
    var isNamed = false
    try store.snapshot().mediaGlances { summary in
      isNamed =
        summary.id != id
        && summary.parts.contains { part in
          part.root == root.uuid && part.path.map { root.folder.appending($0) } == file
        }
      return !isNamed
    }
    return isNamed
  }
}
