import SystemPackage
import VmxMarkup
package import VmxModel
package import VmxNaming
import VmxStore
import VmxSystem

// For a renamed video, `write` creates a new NFO file and removes the old one if vmx wrote it. An
// NFO file that the user or another program has changed is renamed with the video instead.

extension SidecarWriter {
  /// Renames the NFO file of a renamed video, unless `write` replaces it.
  ///
  /// - Returns: whether it was renamed.
  /// - Throws: `name-taken`, `root-away`, and errors of the file system; the file is then not
  ///   renamed.
  package func renameNFO(beside move: FileMove, of episode: Episode) throws -> Bool {
    let root = try mediaRoots.root(move.root)
    let source = root.folder.appending(NFOFile.path(beside: move.from))
    let target = root.folder.appending(NFOFile.path(beside: move.to))
    guard source != target,
      let bytes = try RegularFile.prefixIfPresent(of: source, upTo: NFOContents.maxBytes),
      try !isOwnNFO(bytes, for: episode.id, in: root)
    else { return false }
    do throws(FileError) {
      try renameNoReplace(from: source, to: target)
    } catch {
      guard error.errno == .fileExists else { throw error }
      throw Failure.nameTaken(target)
    }
    try syncFolder(target.folder)
    return true
  }

  /// Removes the NFO file and the picture of a show from a folder that contains nothing else, or
  /// moves them to the new folder if vmx did not write them.
  ///
  /// - Throws: `root-away`, and errors of the file system.
  package func moveShow(above move: FileMove, of episode: Episode) throws {
    let root = try mediaRoots.root(move.root)
    guard
      LibraryLayout.showDescription(above: move.from)
        != LibraryLayout.showDescription(above: move.to)
    else { return }
    let files = ShowFiles(
      of: episode, below: root.folder, in: try mediaRoots.store.snapshot())
    try files.copyPicture(above: move.from, to: move.to)
    let removed = try files.remove(above: move.from)
    let moved = try files.move(above: move.from, to: move.to)
    if let show = removed ?? moved { try root.removeEmptyFolders(above: PathBytes(show)) }
  }
}
