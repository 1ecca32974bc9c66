package import VmxModel
package import VmxStore
import VmxSystem

// A cancellation is recorded before anything is removed, and the trail keeps that it was the last
// step of the part. So whoever claims the episode next, after whatever crash, knows that the bytes
// found there are not to be gone on with.

/// The unfinished files of parts that were cancelled.
package struct CancelledFiles: Sendable {
  private let store: LibraryStore
  private let shelf: RootShelf

  /// The files of a library.
  package init(in store: LibraryStore) {
    self.store = store
    shelf = RootShelf(store: store, newFilesBelow: store.home.defaultRoot)
  }

  /// Removes them; the caller holds the claim on the episode. What lies in a root that is away
  /// stays for whoever claims the episode when it is there.
  ///
  /// - Throws: what the disk and the store throw.
  package func remove(of episode: Episode) throws {
    let parts = episode.cancelledParts
    guard !parts.isEmpty else { return }
    for root in try shelf.presentRoots() {
      for part in parts {
        try PartFiles(root: root.folder, episode: episode.id, part: part).removeAll()
      }
    }
  }
}

extension PartFiles {
  /// Removes all that is unfinished of the part, what was put aside too.
  fileprivate func removeAll() throws(FileError) {
    try drop()
    try MediaFile.remove(aside)
  }
}
