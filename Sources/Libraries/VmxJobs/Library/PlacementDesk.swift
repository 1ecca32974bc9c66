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
package final class PlacementDesk: Sendable {
  private let groups: GroupFlush<Placement, any Error>

  /// A desk without anything on it.
  package init() {
    groups = GroupFlush { placements throws(any Error) in
      for placement in placements { placement.rename() }
      var folders: Set<FilePath> = []
      for placement in placements { folders.formUnion(placement.touchedFolders) }
      for folder in folders { try syncFolder(folder) }
    }
  }

  /// Places one file and waits until its name is durable.
  ///
  /// - Returns: the path below the root that it got.
  /// - Throws: `name-taken` if every candidate is taken by a file that is not ours, `part-lost`
  ///   if neither the partial file nor a final one of ours is there, and what the disk throws.
  package func place(_ placement: Placement) throws -> String {
    placement.flushBytes()
    try groups.submit(placement)
    return try placement.result()
  }
}
