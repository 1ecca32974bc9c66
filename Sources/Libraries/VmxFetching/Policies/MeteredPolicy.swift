import Synchronization
import VmxModel
import VmxStore

/// Refuses transfers over a metered network, unless the run, the episode or its show allows them.
final class MeteredPolicy: TransferPolicy {
  /// The milliseconds for which the marks of an episode are cached.
  private static let validity: Int64 = 1000

  let code = ErrorCode.networkMetered
  private let network: NetworkMonitor
  private let allowsMetered: Bool
  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  private let marks = Mutex<[EpisodeID: (isAllowed: Bool, at: Int64)]>([:])

  /// - Parameters:
  ///   - allowsMetered: whether the whole run may use a metered network.
  ///   - moment: returns milliseconds of the monotonic clock.
  init(
    _ network: NetworkMonitor, allowsMetered: Bool, _ store: LibraryStore,
    moment: @escaping @Sendable () -> Int64
  ) {
    self.network = network
    self.allowsMetered = allowsMetered
    self.store = store
    self.moment = moment
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

  /// Whether the episode or its show has the mark `metered-ok`.
  private func isMarked(_ id: EpisodeID) throws -> Bool {
    let now = moment()
    if let known = marks.withLock({ $0[id] }), now - known.at < Self.validity {
      return known.isAllowed
    }
    let snapshot = try store.snapshot()
    let isAllowed =
      try snapshot.episode(id)?.isMeteredOK == true
      || snapshot.record(.show, id.show)?.fields["metered_ok"]?.bool == true
    marks.withLock { $0[id] = (isAllowed, now) }
    return isAllowed
  }
}
