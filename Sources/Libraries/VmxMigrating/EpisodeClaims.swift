import VmxModel
import VmxStore
import VmxSystem

/// The claims of the threads of a migration. A thread waits for an episode that another thread has,
/// and never for another process.
final class EpisodeClaims: Sendable {
  private let store: LibraryStore
  private let held = Monitor(Set<Int64>())

  init(_ store: LibraryStore) {
    self.store = store
  }

  /// Claims an episode; the caller has no other claim, and releases it by `release`.
  ///
  /// - Throws: `lock-busy` if another process has it, errors of the store.
  func claim(_ id: EpisodeID) throws -> Claim {
    let offset = id.claimOffset
    held.when({ !$0.contains(offset) }, { _ = $0.insert(offset) })
    do {
      if let claim = try store.claims.claim(id) { return claim }
    } catch {
      held.withLock { _ = $0.remove(offset) }
      throw error
    }
    held.withLock { _ = $0.remove(offset) }
    throw Failure(.lockBusy, "'\(id)' is being worked on")
  }

  func release(_ claim: Claim) {
    claim.release()
    held.withLock { _ = $0.remove(claim.offset) }
  }
}
