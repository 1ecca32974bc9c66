import SystemPackage
import VmxDigest
import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// A folder is updated incrementally, as rsync does. A file that the manifest lists with the wanted
// digest is not changed. A file whose planned name has changed is renamed. All other files are
// copied to a temporary file, verified during the copy, and renamed. Files of unselected episodes
// are kept, and so is each file that no export wrote. Before the first change, the update writes
// the records that it will change, and a list of all files that it may write. From them the next
// run completes the bag of an interrupted run, which has not yet updated the manifest
// (`FolderRecovery`). The manifests are replaced last.

extension BundleExporter {
  /// Updates the bag in a folder.
  ///
  /// - Parameter mayDelete: whether to delete the files of an episode that is not selected. Only
  ///   files that an export wrote are deleted.
  /// - Throws: `lock-busy` if another export writes to the folder, `bundle-too-large`, `disk-full`,
  ///   `WorkEnded.interrupted`, errors of the file system. Damaged sources, names that exist
  ///   already and files that are too large are failures of their episodes.
  package func update(
    _ plan: BundlePlan, _ info: BundleInfo, in folder: ExportedFolder,
    deleting mayDelete: (EpisodeID) -> Bool = { _ in false }
  ) throws -> End {
    try plan.check(for: nil)
    let space = BundleSpace(of: folder.path)
    var end = End(plan).without(try space.tooLarge(plan.files))
    // All files are missing from a new folder, which is not made unless they fit.
    if !isFolder(folder.path) { try space.check(end.plan.size) }
    let before = try folder.createIfNeeded(wait: store.lockWait)
    var update = FolderUpdate(before, end.plan)
    try update.recover()
    let missing = try update.survey(until: shouldStop) {
      try Self.digest(of: $0, shouldStop)
    }
    end = end.without(update.failures)
    let size = missing.reduce(Int64(0)) { $0.addingClamped($1.file.size.bytes) }
    try space.check(size)
    try update.announce(copying: missing)
    try update.rename()
    var copying = FolderCopy(
      exported: before, files: missing, isExported: { [update] in update.isExported($0) },
      progress: { [progress] in progress($0, size) })
    do {
      try source(of: missing).read(to: &copying)
      try copying.replace()
    } catch {
      copying.discard()
      throw error
    }
    end = end.without(copying.failures)
    try copying.flushFolders()
    // A failed episode keeps its earlier record, so its files are renamed back.
    try update.restoreNames(of: Set(end.failures.keys))
    end.kept = try update.finish(
      end, info, removing: copying.copiedForFailedEpisodes, deleting: mayDelete)
    end.hasUnread = update.hasUnread || !end.kept.isEmpty
    return end
  }

  private static func digest(
    of path: FilePath, _ shouldStop: @Sendable () -> Bool
  ) throws -> Digest {
    try FileDigest.sha256(of: path, shouldStop: shouldStop)
  }
}
