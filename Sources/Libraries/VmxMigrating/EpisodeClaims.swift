import VmxModel
import VmxStore
import VmxSystem

/// The episode claims of a migration's threads. A thread waits for a claim that another thread
/// holds, and never for one of another process.
final class EpisodeClaims: Sendable {
  private let store: LibraryStore
  private let claimed = Monitor(Set<Int64>())

  init(_ store: LibraryStore) {
    self.store = store
  }

  /// Claims an episode. The caller must hold no other claim, and releases this one with `release`.
  ///
  /// - Throws: `lock-busy` if another process holds the claim, errors of the store.
  func claim(_ id: EpisodeID) throws -> Claim {
    let offset = id.claimOffset
    claimed.when({ !$0.contains(offset) }, { _ = $0.insert(offset) })
    do {
      if let claim = try store.claims.claim(id) { return claim }
    } catch {
      claimed.withLock { _ = $0.remove(offset) }
      throw error
    }
    claimed.withLock { _ = $0.remove(offset) }
    throw Failure.inUse(id)
  }

  func release(_ claim: Claim) {
    claim.release()
    claimed.withLock { _ = $0.remove(claim.offset) }
  }
}
