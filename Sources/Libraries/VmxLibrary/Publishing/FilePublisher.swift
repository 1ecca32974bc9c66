import SystemPackage
import VmxModel
import VmxSystem

/// Publishes checked files under their final names, in groups.
///
/// Each caller flushes the bytes of a large file first, in parallel, so that the disk can merge the
/// writes. Groups form without a timer: while one group is written to the disk, the next one
/// collects. Within a group, the bytes of small files are flushed first, by one call for all of a
/// file system where that costs less. Then all files are renamed, and then each changed folder is
/// flushed once. So no final name refers to bytes that a power cut could lose. A crash between two
/// steps leaves either the partial file or the final one, both complete.
///
///     let publisher = FilePublisher()
///     let path = try publisher.publish(placement)
package final class FilePublisher: Sendable {
  private enum Item: Sendable {
    case placement(Placement)
    case temporaryFiles([TemporaryFile])

    /// The folders of the files whose bytes are still to be flushed, one for each file.
    var unflushedFolders: [FilePath] {
      switch self {
      case .placement(let placement): [placement.unflushedFolder].compactMap(\.self)
      case .temporaryFiles(let drafts): drafts.map(\.folder)
      }
    }

    /// Flushes the bytes of the files that are in none of these folders.
    func flush(outside flushed: Set<FilePath>) {
      switch self {
      case .placement(let placement):
        if let folder = placement.unflushedFolder, !flushed.contains(folder) { placement.flush() }
      case .temporaryFiles(let drafts):
        for draft in drafts where !flushed.contains(draft.folder) { draft.flush() }
      }
    }

    func rename() {
      switch self {
      case .placement(let placement): placement.rename()
      case .temporaryFiles(let drafts): for draft in drafts { draft.rename() }
      }
    }

    /// The media folders whose entries changed.
    var placementFolders: Set<FilePath> {
      if case .placement(let placement) = self { placement.changedFolders } else { [] }
    }

    var temporaryFiles: [TemporaryFile] {
      if case .temporaryFiles(let drafts) = self { drafts } else { [] }
    }
  }

  private let groups: GroupFlush<Item, any Error>

  /// Creates a publisher.
  package init() {
    groups = GroupFlush { items throws(any Error) in
      let flushed = FileSystemSync.flush(items.flatMap(\.unflushedFolders))
      for item in items {
        item.flush(outside: flushed)
        item.rename()
      }
      let folders = items.reduce(into: Set()) { $0.formUnion($1.placementFolders) }
      let drafts = items.flatMap(\.temporaryFiles)
      let others = Set(drafts.map(\.folder)).subtracting(folders)
      let durable = FileSystemSync.flush(Array(folders.union(others)))
      for folder in folders.subtracting(durable) { try syncFolder(folder) }
      for folder in others.subtracting(durable) {
        // A sidecar that is not durable does not fail a media file of the same group.
        do throws(FileError) { try syncFolder(folder) } catch {
          for draft in drafts where draft.folder == folder { draft.fail(error) }
        }
      }
    }
  }

  /// Publishes one file and waits until its name is durable.
  ///
  /// - Returns: whether the file has its name; false if a file that is not ours has it, or neither
  ///   the partial file nor a final one of ours exists.
  /// - Throws: errors of the file system.
  package func publish(_ placement: Placement) throws -> Bool {
    placement.prepare()
    try groups.submit(.placement(placement))
    return try placement.result()
  }

  /// Flushes temporary files, renames them and waits until the names are durable.
  ///
  /// - Throws: errors of the file system; a temporary file that was not renamed is removed.
  func publish(_ drafts: [TemporaryFile]) throws {
    guard !drafts.isEmpty else { return }
    try groups.submit(.temporaryFiles(drafts))
    for draft in drafts { try draft.result() }
  }
}
