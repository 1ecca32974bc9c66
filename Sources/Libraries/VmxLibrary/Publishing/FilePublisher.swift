import SystemPackage
import VmxModel
import VmxSystem

/// Publishes checked files under their final names, in groups.
///
/// Each caller flushes the bytes of its file first, in parallel, so that the disk can merge the
/// writes. Groups form without a timer: while one group is written to the disk, the next one
/// collects. Within a group, all files are renamed first, then each changed folder is flushed once.
/// So no final name refers to bytes that a power cut could lose. A crash between two steps leaves
/// either the partial file or the final one, both complete.
///
///     let publisher = FilePublisher()
///     let path = try publisher.place(placement)
package final class FilePublisher: Sendable {
  private enum Item: Sendable {
    case placement(Placement)
    case drafts([DraftFile])

    func rename() {
      switch self {
      case .placement(let placement): placement.rename()
      case .drafts(let drafts): for draft in drafts { draft.rename() }
      }
    }

    /// The media folders whose entries changed.
    var placementFolders: Set<FilePath> {
      if case .placement(let placement) = self { placement.touchedFolders } else { [] }
    }

    var drafts: [DraftFile] {
      if case .drafts(let drafts) = self { drafts } else { [] }
    }
  }

  private let groups: GroupFlush<Item, any Error>

  /// Creates a publisher.
  package init() {
    groups = GroupFlush { items throws(any Error) in
      for item in items { item.rename() }
      let folders = items.reduce(into: Set()) { $0.formUnion($1.placementFolders) }
      for folder in folders { try syncFolder(folder) }
      let drafts = items.flatMap(\.drafts)
      for folder in Set(drafts.map(\.folder)).subtracting(folders) {
        // A sidecar that is not durable does not fail a media file of the same group.
        do throws(FileError) { try syncFolder(folder) } catch {
          for draft in drafts where draft.folder == folder { draft.fail(error) }
        }
      }
    }
  }

  /// Publishes one file and waits until its name is durable.
  ///
  /// - Returns: whether it has the name; false if a file that is not ours has it, or neither the
  ///   partial file nor a final one of ours is there.
  /// - Throws: what the disk throws.
  package func place(_ placement: Placement) throws -> Bool {
    placement.flushBytes()
    try groups.submit(.placement(placement))
    return try placement.result()
  }

  /// Renames flushed drafts to their final names and waits until those are durable.
  ///
  /// - Throws: errors of the file system; a draft that was not renamed is removed.
  func publish(_ drafts: [DraftFile]) throws {
    guard !drafts.isEmpty else { return }
    try groups.submit(.drafts(drafts))
    for draft in drafts { try draft.result() }
  }
}
