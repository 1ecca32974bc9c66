import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore

// Both ids are claimed, so that no other process works on the episode or on a new one with that id.
// A rename is refused while a removal is in progress, since its journal entry, trash entry and
// claim use the old id. The files of unfinished parts are renamed first. After a crash the user
// repeats the command, which completes the rename. A renamed record without its files would fetch
// everything again.

/// Changes the id of an episode.
package struct Renaming: Sendable {
  private let store: LibraryStore

  /// Creates a rename operation for a store.
  package init(in store: LibraryStore) {
    self.store = store
  }

  /// Renames an episode; durable on return.
  ///
  /// - Returns: the episode after the rename; `unchanged` if it already had that id.
  /// - Throws: `no-such-episode`, `id-taken`, `lock-busy` while another process has claimed it, and
  ///   errors of the store and the file system; nothing is changed then.
  package func rename(
    _ old: EpisodeID, to new: EpisodeID
  ) throws -> EpisodeResult {
    let present = try store.snapshot()
    let known = try episode(old, in: present)
    if known.id == new { return EpisodeResult(known, .unchanged()) }
    if store.isDryRun {
      try Self.checkStaying(known, by: known.id)
      try Self.checkFree(try present.resolve(new), new, for: known.id)
      return EpisodeResult(known, .planned)
    }
    let claims = try [known.id, new].map { try claim($0) }
    defer { for claim in claims { claim.release() } }
    let snapshot = try store.snapshot()
    let before = try episode(known.id, in: snapshot)
    try Self.checkStaying(before, by: known.id)
    try Self.checkFree(try snapshot.resolve(new), new, for: before.id)
    let files = EpisodeFiles(
      id: before.id, parts: before.parts, roots: snapshot.rootFolders.map(\.folder))
    let episode: Episode
    do {
      try files.rename(to: new)
      episode = try record(before.id, new)
    } catch {
      let renamed = files.renamed(to: new)
      Self.tryToCleanUp {
        try renamed.rename(to: before.id)
        try renamed.removeSidecars()
      }
      throw error
    }
    Self.tryToCleanUp { try files.removeSidecars() }
    return EpisodeResult(episode, .done)
  }

  /// Runs a cleanup step whose failure is ignored: the repeated command or `vmx clean` performs it
  /// later.
  private static func tryToCleanUp(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      // The rename itself has succeeded, or its own failure is reported.
    }
  }

  private func record(_ old: EpisodeID, _ new: EpisodeID) throws -> Episode {
    try store.update(.durable) { transaction in
      let episode = try episode(old, in: transaction)
      try Self.checkStaying(episode, by: old)
      try Self.checkFree(try transaction.resolve(new), new, for: old)
      return transaction.rename(episode, to: new)
    }
  }

  /// Throws `id-taken` if the new id belongs to another episode. An alias of the episode itself may
  /// become its id again.
  private static func checkFree(
    _ owner: EpisodeID?, _ new: EpisodeID, for old: EpisodeID
  ) throws(Failure) {
    if let owner, owner != old {
      throw Failure(.idTaken, "the id '\(new)' belongs to another episode")
    }
  }

  private func episode(
    _ id: EpisodeID, in episodes: any EpisodeLookup
  ) throws -> Episode {
    if let episode = try episodes.episode(id) { return episode }
    throw Failure.noSuchEpisode(id)
  }

  /// Rejects an episode whose removal has begun, or that another process has renamed first.
  private static func checkStaying(_ episode: Episode, by id: EpisodeID) throws(Failure) {
    guard episode.id == id else {
      throw Failure(.lockBusy, "'\(id)' was just renamed to '\(episode.id)'")
    }
    if episode.parts.contains(where: \.isBeingRemoved) {
      throw Failure(
        .lockBusy, "another process is removing '\(id)'",
        hint: "run 'vmx clean' to finish an interrupted removal, then rename it")
    }
  }

  private func claim(_ id: EpisodeID) throws -> Claim {
    if let claim = try store.claims.claim(id) { return claim }
    throw Failure.inUse(id, hint: "wait for that to end, then rename it")
  }
}
