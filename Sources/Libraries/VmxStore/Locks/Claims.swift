import Synchronization
package import VmxModel
package import VmxSystem

/// The claims of this process on episodes: kernel locks, held while this process works on an
/// episode.
///
///     guard let claim = try store.claims.claim(id) else { return }  // another process has it
///     defer { claim.release() }
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
  /// Never waits. The calling thread must not be in an update.
  ///
  /// - Parameter mode: `.exclusive` to change the episode, `.shared` to read its files.
  /// - Returns: nil if another process holds the claim, or this process holds it in a conflicting
  ///   mode.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func claim(
    _ id: EpisodeID, _ mode: LockFile.Mode = .exclusive
  ) throws(StoreError) -> Claim? {
    guard !locks.isWriting else { fatalError("a claim comes before the write lock, not after") }
    let file = try locks.file()
    let offset = id.claimOffset
    let isOurs = try held.withLock { held throws(StoreError) in
      if let other = held[offset] {
        // The kernel lets one open file description change its own lock; `held` refuses that.
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

  /// Whether another process has claimed an episode at this moment.
  ///
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func isHeldElsewhere(_ id: EpisodeID) throws(StoreError) -> Bool {
    let file = try locks.file()
    do throws(LockError) {
      return try file.othersMode(id.claimOffset) != nil
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
      // Every claim has opened the lock file, so this call does not open it.
      do throws(StoreError) { try locks.file().unlock(offset) } catch { return }
    }
  }
}

/// One claim; it ends when it is released or when its last reference is gone.
package final class Claim: Sendable {
  /// The episode.
  package let id: EpisodeID
  /// The offset of its byte in the lock file.
  package let offset: Int64
  private let claims: Claims
  private let isReleased = Atomic(false)

  fileprivate init(id: EpisodeID, offset: Int64, claims: Claims) {
    self.id = id
    self.offset = offset
    self.claims = claims
  }

  deinit { release() }

  /// Releases the claim; a second call does nothing.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    claims.release(offset)
  }
}
