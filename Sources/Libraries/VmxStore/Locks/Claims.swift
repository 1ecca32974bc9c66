package import VmxModel
package import VmxSystem

/// The claims of this process on episodes: kernel locks, held while this process works on an
/// episode.
///
///     guard let claim = try store.claims.claim(id) else { return }  // another process has it
///     defer { claim.release() }
package final class Claims: Sendable {
  private let heldLocks: HeldLocks

  init(_ heldLocks: HeldLocks) {
    self.heldLocks = heldLocks
  }

  /// Claims an episode.
  ///
  /// Never waits. The calling thread must not be in an update.
  ///
  /// - Parameter mode: `.exclusive` to change the episode, `.shared` to read its files.
  /// - Returns: nil if another process holds the claim, or this process holds it in a conflicting
  ///   mode.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func claim(
    _ id: EpisodeID, _ mode: LockFile.Mode = .exclusive
  ) throws(StoreError) -> Claim? {
    try heldLocks.acquire(id.claimOffset, mode).map { Claim(id: id, lock: $0) }
  }

  /// Claims a file that belongs to no episode while it is moved into the trash or out of it.
  ///
  /// - Parameter step: the id of its journal entry.
  /// - Returns: nil if the claim is held already.
  /// - Throws: as `claim(_:_:)`.
  package func claim(fileOf step: String) throws(StoreError) -> ByteLock? {
    try heldLocks.acquire(EpisodeID.claimOffset(of: step), .exclusive)
  }

  /// Claims all episodes of the library with one call, for a change of thousands of episodes: the
  /// kernel takes seconds for thousands of separate locks. This process must claim no episode while
  /// it holds them.
  ///
  /// - Returns: nil if any episode is claimed.
  /// - Throws: as `claim(_:_:)`.
  package func claimAll() throws(StoreError) -> RangeLock? {
    try heldLocks.acquireAll(from: EpisodeID.firstClaim)
  }

  /// Whether another process has claimed an episode at this moment.
  ///
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func isHeldElsewhere(_ id: EpisodeID) throws(StoreError) -> Bool {
    let file = try heldLocks.locks.file()
    do throws(LockError) {
      return try file.conflictingMode(id.claimOffset) != nil
    } catch {
      throw .lock(error)
    }
  }

  /// Whether another process has claimed any episode exclusively at this moment.
  ///
  /// For displays, like `inWork`; it costs one system call.
  ///
  /// - Throws: `StoreError.lock` if the lock file cannot be read.
  package func isAnyInWork() throws(StoreError) -> Bool {
    do throws(LockError) {
      guard let file = try LockFile.existing(heldLocks.locks.home.lock) else { return false }
      return try file.conflictingMode(EpisodeID.firstClaim, length: .max - EpisodeID.firstClaim)
        != nil
    } catch {
      throw .lock(error)
    }
  }

  /// Returns the episodes that a process, this one included, has claimed exclusively at this
  /// moment.
  ///
  /// For status displays: it creates nothing, and without a lock file no episode is claimed.
  ///
  /// - Throws: `StoreError.lock` if the lock file cannot be read.
  package func inWork(among ids: some Collection<EpisodeID>) throws(StoreError) -> Set<EpisodeID> {
    guard !ids.isEmpty else { return [] }
    let own = heldLocks.exclusive
    do throws(LockError) {
      guard let file = try LockFile.existing(heldLocks.locks.home.lock) else { return [] }
      var found: Set<EpisodeID> = []
      for id in ids {
        let theirs = try file.conflictingMode(id.claimOffset)
        if theirs == .exclusive || own.contains(id.claimOffset) { found.insert(id) }
      }
      return found
    } catch {
      throw .lock(error)
    }
  }
}

/// One claim; it ends when it is released or when its last reference is gone.
package struct Claim: Sendable {
  /// The episode.
  package let id: EpisodeID
  fileprivate let lock: ByteLock

  /// The offset of its byte in the lock file.
  package var offset: Int64 { lock.byte }

  /// Releases the claim; a second call does nothing.
  package func release() { lock.release() }
}

extension LibraryStore {
  /// Claims an episode by its current id, and reads it under the claim.
  ///
  /// Another process may have renamed it since its id was read; a claim on the former id does not
  /// protect it.
  ///
  /// - Parameter claimTimeout: the maximum wait, in milliseconds, for another worker that has
  ///   claimed it.
  /// - Throws: `lock-busy` if another worker has it for longer; `no-such-episode`;
  ///   `WorkEnded.interrupted` after a request to stop; errors of the store.
  package func claimEpisode(
    _ id: EpisodeID, claimTimeout: Int64 = 0
  ) throws -> (claim: Claim, episode: Episode) {
    var id = id
    var claimed: (claim: Claim, episode: Episode)?
    _ = try lockWait(milliseconds: claimTimeout).acquire {
      while let claim = try claims.claim(id) {
        guard let episode = try snapshot().episode(id) else { throw Failure.noSuchEpisode(id) }
        if episode.id == id {
          claimed = (claim, episode)
          return true
        }
        claim.release()
        id = episode.id
      }
      return false
    }
    guard let claimed else { throw Failure.inUse(id) }
    return claimed
  }
}
