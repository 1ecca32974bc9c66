import Synchronization
package import VmxModel
package import VmxSystem

/// The claims of this process on episodes: kernel locks, held for as long as it works on them.
package final class Claims: Sendable {
  private struct Held: Sendable {
    var mode: LockFile.Mode
    var count: Int
  }

  private let locks: StoreLocks
  private let held = Monitor<[Int64: Held]>([:])

  init(_ locks: StoreLocks) {
    self.locks = locks
  }

  /// Claims an episode.
  ///
  /// Claims are tried, never waited for, and never while the calling thread is in an update.
  ///
  /// - Parameter mode: `.exclusive` to change it, `.shared` to read its files.
  /// - Returns: nil if another process has it, or this one in a way that conflicts.
  /// - Throws: `StoreError.lock` or `.file` if there can be no locks.
  package func claim(
    _ id: EpisodeID, _ mode: LockFile.Mode = .exclusive
  ) throws(StoreError) -> Claim? {
    guard !locks.isWriting else { fatalError("a claim comes before the write lock, not after") }
    let file = try locks.file()
    let offset = id.claimOffset
    let isOurs = try held.withLock { held throws(StoreError) in
      if let other = held[offset] {
        // The kernel lets one description change its mind; our own account does not.
        guard mode == .shared, other.mode == .shared else { return false }
        held[offset]?.count += 1
        return true
      }
      do throws(LockError) {
        guard try file.tryLock(offset, mode) else { return false }
      } catch {
        throw .lock(error)
      }
      held[offset] = Held(mode: mode, count: 1)
      return true
    }
    return isOurs ? Claim(id: id, offset: offset, claims: self) : nil
  }

  /// Whether somebody else has an episode in work at this moment.
  ///
  /// - Throws: `StoreError.lock` or `.file` if there can be no locks.
  package func isHeldElsewhere(_ id: EpisodeID) throws(StoreError) -> Bool {
    let file = try locks.file()
    do throws(LockError) {
      return try file.othersMode(id.claimOffset) != nil
    } catch {
      throw .lock(error)
    }
  }

  /// Which of some episodes are in work at this moment: claimed by one process, this one included,
  /// that may change them.
  ///
  /// For onlookers: it creates nothing, and where there is no lock file nobody works.
  ///
  /// - Throws: `StoreError.lock` if the lock file cannot be looked at.
  package func inWork(among ids: some Collection<EpisodeID>) throws(StoreError) -> Set<EpisodeID> {
    guard !ids.isEmpty else { return [] }
    let own = held.withLock { $0 }
    do throws(LockError) {
      guard let file = try LockFile.existing(locks.home.lock) else { return [] }
      var found: Set<EpisodeID> = []
      for id in ids {
        let offset = id.claimOffset
        let theirs = try file.othersMode(offset)
        if theirs == .exclusive || own[offset]?.mode == .exclusive { found.insert(id) }
      }
      return found
    } catch {
      throw .lock(error)
    }
  }

  fileprivate func release(_ offset: Int64) {
    held.withLock { held in
      guard let claim = held[offset] else { return }
      if claim.count > 1 {
        held[offset]?.count -= 1
        return
      }
      held[offset] = nil
      // Nobody claims without the lock file, so it is open.
      do throws(StoreError) { try locks.file().unlock(offset) } catch { return }
    }
  }
}

/// One claim; it ends when it is released or nobody refers to it any more.
package final class Claim: Sendable {
  /// The episode.
  package let id: EpisodeID
  /// Its byte in the lock file.
  package let offset: Int64
  private let claims: Claims
  private let isReleased = Atomic(false)

  fileprivate init(id: EpisodeID, offset: Int64, claims: Claims) {
    self.id = id
    self.offset = offset
    self.claims = claims
  }

  deinit { release() }

  /// Lets go of the episode; a second call does nothing.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    claims.release(offset)
  }
}
