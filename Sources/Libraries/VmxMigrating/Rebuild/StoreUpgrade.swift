package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

/// Rewrites a store of an older format in the current format. The old file is kept under another
/// name.
///
/// ```swift
/// let kept = try StoreUpgrade.perform(
///   on: home, options: options, clock: clock, isPlan: false) { step, result in … }
/// ```
package enum StoreUpgrade {
  /// Rewrites the store. The new store is durable on return.
  ///
  /// - Parameter report: called with the store file and the result.
  /// - Returns: the names under which the old files are kept; empty if the format is current.
  /// - Throws: `store-too-new`, `store-lost` if there is no store, `lock-busy`, and errors of the
  ///   store and the file system. After an error the present store is unchanged.
  package static func perform(
    on home: LibraryHome, options: StoreOptions, clock: any WallClock, isPlan: Bool,
    report: Migrator.Report
  ) throws -> [FilePath] {
    let replacement = try StoreReplacement(of: home, options: options, clock: clock)
    var step = MigrationStep(.vmx, path: home.store.string)
    guard let old = replacement.oldSnapshots.first, let header = old.header else {
      throw Failure(
        .storeLost, "there is no store with a header in '\(home.folder)'",
        hint: "'vmx migrate --rebuild' makes a store from the sidecars")
    }
    step.evidence = ["format \(header.major).\(header.minor)"]
    guard header.major < StoreHeader.major else {
      try report(step, .unchanged())
      return []
    }
    if isPlan {
      try report(step, .planned)
      return []
    }
    let draft = try replacement.draft(library: header.library)
    let writer = RebuildWriter(draft)
    try old.otherRecords { try writer.append($0) }
    var ids: [EpisodeID] = []
    old.summaries(EpisodeFields([])) { summary in
      ids.append(summary.id)
      return true
    }
    for id in ids {
      if let episode = try old.episode(id) { try writer.append(episode) }
    }
    try writer.finish()
    let kept = try replacement.commit(draft)
    try report(step, .done)
    return kept
  }
}
