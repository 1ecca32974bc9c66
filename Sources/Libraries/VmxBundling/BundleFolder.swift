import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

// A folder is updated as rsync does it: what its manifest lists with the wanted digest stays, a file
// whose episode got another name is renamed, and the rest is copied to a draft, verified on the way
// and renamed. Files of episodes that are not selected stay, and so does every file that no export
// wrote. Before the first change a list of what is to come is written, so that the next run knows
// which files are ours although an interrupted run never came to the manifest. The manifests are
// replaced last.

extension BundleExporter {
  /// Brings the bag in a folder up to date.
  ///
  /// - Parameter deleting: whether the files of episodes that are not in the plan are deleted, as far
  ///   as an export wrote them.
  /// - Throws: `lock-busy` if another export writes to the folder, `bundle-too-large`, `disk-full`,
  ///   `WorkEnded.interrupted`, errors of the file system. Damaged sources, names that are taken and
  ///   files that are too large are failures of their episodes.
  package func update(
    _ plan: BundlePlan, _ info: BundleInfo, in folder: ExportedFolder, deleting: Bool = false
  ) throws -> End {
    try plan.check(for: nil)
    let before = try folder.made()
    let space = BundleSpace(of: before.path)
    var end = End(plan).without(try space.tooLarge(plan.files))
    var update = FolderUpdate(before, end.plan)
    try update.recover()
    let missing = try update.survey(until: shouldStop) {
      try Self.digest(of: $0, shouldStop)
    }
    end = end.without(update.failures)
    let size = missing.reduce(Int64(0)) { $0.addingClamped($1.file.size.bytes) }
    try space.check(size)
    try update.announce()
    try update.rename()
    var copying = FolderCopy(
      folder: before.path, files: missing, isOurs: { [update] in update.isOurs($0) },
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
    // A failed episode keeps its record, so its files get their former names again.
    try update.restoreNames(of: Set(end.failures.keys))
    end.kept = try update.finish(end, info, removing: copying.copiedInVain, deleting: deleting)
    return end
  }

  private static func digest(
    of path: FilePath, _ shouldStop: @Sendable () -> Bool
  ) throws -> Digest {
    try withFile(path) { try FileDigest.of($0) { _ in shouldStop() }.whole }
  }
}
