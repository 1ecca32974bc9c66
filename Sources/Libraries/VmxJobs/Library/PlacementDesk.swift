import SystemPackage
import VmxModel
import VmxSystem

/// Gives checked files their final names, many at once.
///
/// A group forms without a timer: while one is on its way to the disk, the next gathers. The
/// order within a group is: flush each partial file, rename all, flush each touched folder once.
/// So a name never stands for bytes that a power cut could still take, and a crash between two
/// steps leaves either the partial file or the final one, both whole.
package final class PlacementDesk: Sendable {
  private let groups: SharedFlush<Placement, any Error>

  /// A desk without anything on it.
  package init() {
    groups = SharedFlush { placements throws(any Error) in
      for placement in placements { placement.flushBytes() }
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
    try groups.submit(placement)
    return try placement.result()
  }
}
