import VmxModel
import VmxStore

/// Refuses transfers over a metered network, unless the run, the episode or its show allows them.
final class MeteredPolicy: TransferPolicy {
  let code = ErrorCode.networkMetered
  private let network: NetworkMonitor
  private let allowsMetered: Bool
  private let store: LibraryStore
  /// Whether each episode or its show has the mark `metered-ok`.
  private let marks: TimedCache<EpisodeID, Bool>

  /// - Parameter allowsMetered: whether the whole run may use a metered network.
  init(
    _ network: NetworkMonitor, allowsMetered: Bool, _ store: LibraryStore,
    _ environment: FetchEnvironment
  ) {
    self.network = network
    self.allowsMetered = allowsMetered
    self.store = store
    marks = TimedCache(validity: 1000, environment)
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    if phase == .admission { try network.begin(loopback: part.isLoopback) }
    guard let verdict = network.reading(loopback: part.isLoopback)?.verdict,
      verdict.holds(loopback: part.isLoopback), !allowsMetered, try !isMarked(part.episode)
    else { return nil }
    return Failure(
      code,
      "'\(part.episode)' waits for a network that is not metered, as \(verdict.source) says of this "
        + "one")
  }

  /// Other running transfers do not justify a wait for a part that never began: they may be allowed
  /// where it is not.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsOpenWait(ifActive: part.hasBegun)
  }

  private func isMarked(_ id: EpisodeID) throws -> Bool {
    try marks.value(for: id) {
      let snapshot = try store.snapshot()
      return try snapshot.episode(id)?.isMeteredOK == true
        || snapshot.record(.show, id.show)?.fields["metered_ok"]?.bool == true
    }
  }
}
