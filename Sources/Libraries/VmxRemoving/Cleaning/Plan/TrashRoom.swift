package import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

/// Purges the trash of the roots on a disk, the oldest first, until enough of it is free
/// (`trash.make-room`).
///
///     let room = TrashRoom(tools, rules: rules, now: now)
///     try room.make(bytes, below: folder)
package struct TrashRoom: Sendable {
  private let planner: CleaningPlanner
  private let executor: CleanupExecutor
  private let store: LibraryStore

  /// Creates an instance.
  ///
  /// - Parameters:
  ///   - rules: the limits of the trash, which do not matter here.
  ///   - now: the time of the system.
  package init(_ tools: LibraryTools, rules: TrashRules, now: Timestamp) {
    store = tools.store
    executor = CleanupExecutor(tools)
    planner = CleaningPlanner(tools, options: CleaningOptions(trash: rules), now: now)
  }

  /// Purges as much of the trash as is needed. Nothing is purged while another process cleans, or
  /// while the clock is suspect.
  ///
  /// - Parameters:
  ///   - bytes: the number of bytes to be free.
  ///   - folder: a folder on the disk, in a root.
  /// - Throws: errors of the store and the file system.
  package func make(_ bytes: ByteCount, below folder: FilePath) throws {
    guard try planner.clockProblem() == nil, let job = try store.tryJob(.cleaning) else { return }
    defer { job.release() }
    guard let disk = try Self.disk(of: folder) else { return }
    var entries: [(entry: TrashPlan.Entry, root: MediaRoot)] = []
    for root in try planner.mediaRoots.presentRoots() where try Self.disk(of: root.folder) == disk {
      let listing = try TrashListing(Trash(root: root), ReadFailures(), now: planner.now)
      entries += listing.entries.filter(\.isListed).map { ($0, root) }
    }
    for (entry, root) in entries.sorted(by: { $0.entry.at < $1.entry.at }) {
      guard try freeSpace(at: folder) < bytes else { return }
      let step = CleaningStep(purging: entry, in: root.uuid, explanation: "to make room")
      try executor.perform([step]) { _, _ in }
    }
  }

  /// Returns the device of the nearest folder that exists.
  private static func disk(of folder: FilePath) throws -> UInt64? {
    var path = realPath(of: folder) ?? folder
    while true {
      if let facts = try FileFacts.ifPresent(at: path) { return facts.device }
      guard !path.components.isEmpty else { return nil }
      path.removeLastComponent()
    }
  }
}
