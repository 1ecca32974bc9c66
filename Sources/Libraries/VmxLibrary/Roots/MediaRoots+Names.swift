package import SystemPackage
package import VmxModel
import VmxStore
import VmxSystem

extension MediaRoots {
  /// Whether the record of another part names the file: two episodes may have the same bytes and
  /// the same title.
  ///
  /// Reads the paths of all episodes.
  ///
  /// - Parameters:
  ///   - part: the part of the episode that does not count; nil for all of them.
  ///   - ignoringUnpublished: whether a checked part that still has its partial file does not
  ///     count; its recorded name is only the one that it is to get.
  /// - Throws: what the store and the disk throw.
  package func isNamed(
    _ file: FilePath, in root: MediaRoot, byOtherThan id: EpisodeID, part: String? = nil,
    ignoringUnpublished: Bool = false
  ) throws -> Bool {
    var namers: [(id: EpisodeID, part: Part)] = []
    try store.snapshot().summaries { summary in
      for other in summary.parts
      where other.root == root.uuid && other.path.map({ root.folder.appending($0) }) == file
        && !(summary.id == id && (part == nil || part == other.name))
      {
        namers.append((summary.id, other))
      }
      return ignoringUnpublished || namers.isEmpty
    }
    guard ignoringUnpublished else { return !namers.isEmpty }
    return try namers.contains { namer in
      guard [namer.part.state, namer.part.resumeState].contains(.checked) else { return true }
      let files = PartFiles(root: root.folder, episode: namer.id, name: namer.part.name)
      return try FileFacts.of(files.partial) == nil
    }
  }
}
