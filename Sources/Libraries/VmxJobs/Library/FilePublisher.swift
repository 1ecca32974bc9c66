import SystemPackage
import VmxModel
import VmxSystem

/// Gives checked files their final names, many at once.
///
/// Whoever brings a file flushes its bytes first, many at once, so that the disk takes them in one
/// go. Then groups form without a timer: while one is on its way to the disk, the next gathers. The
/// order within a group is: rename all, flush each touched folder once. So a name never stands for
/// bytes that a power cut could still take, and a crash between two steps leaves either the partial
/// file or the final one, both whole.
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

    /// The folders of media whose entries changed.
    var placementFolders: Set<FilePath> {
      if case .placement(let placement) = self { placement.touchedFolders } else { [] }
    }

    var drafts: [DraftFile] {
      if case .drafts(let drafts) = self { drafts } else { [] }
    }
  }

  private let groups: GroupFlush<Item, any Error>

  /// A desk without anything on it.
  package init() {
    groups = GroupFlush { items throws(any Error) in
      for item in items { item.rename() }
      let folders = items.reduce(into: Set()) { $0.formUnion($1.placementFolders) }
      for folder in folders { try syncFolder(folder) }
      let drafts = items.flatMap(\.drafts)
      for folder in Set(drafts.map(\.folder)).subtracting(folders) {
        // A sidecar that is not durable fails no film that is placed in the same group.
        do throws(FileError) { try syncFolder(folder) } catch {
          for draft in drafts where draft.folder == folder { draft.fail(error) }
        }
      }
    }
  }

  /// Places one file and waits until its name is durable.
  ///
  /// - Returns: whether it has the name; false if a file that is not ours has it, or neither the
  ///   partial file nor a final one of ours is there.
  /// - Throws: what the disk throws.
  package func place(_ placement: Placement) throws -> Bool {
    placement.flushBytes()
    try groups.submit(.placement(placement))
    return try placement.result()
  }

  /// Gives flushed drafts their names and waits until those are durable.
  ///
  /// - Throws: what the disk throws; a draft without a name is then gone.
  func publish(_ drafts: [DraftFile]) throws {
    guard !drafts.isEmpty else { return }
    try groups.submit(.drafts(drafts))
    for draft in drafts { try draft.result() }
  }
}
