import Synchronization
import VmxEngine
import VmxModel
import VmxStore

/// Refuses transfers over a metered network, unless the run, the episode or its show allows them.
///
/// If the user can be asked, the first part that would be refused asks, once in a run. The other
/// such parts wait for the answer without delaying episodes that need none.
final class MeteredPolicy: TransferPolicy {
  let code = ErrorCode.networkMetered
  private let network: NetworkMonitor
  private let allowsMetered: Bool
  private let questions: (any FetchPrompts)?
  private let queue: WorkQueue
  /// The answer, and the show of the episode that was asked about.
  private let lastAnswer = Mutex<(answer: MeteredAnswer, show: String)?>(nil)
  /// Locked while the user is asked.
  private let asking = Mutex(())
  private let store: LibraryStore
  /// Whether each episode or its show has the mark `metered-ok`.
  private let marks: TimedCache<EpisodeID, Bool>

  /// - Parameter allowsMetered: whether the whole run may use a metered network.
  init(
    _ network: NetworkMonitor, allowsMetered: Bool, store: LibraryStore,
    environment: FetchEnvironment, queue: WorkQueue
  ) {
    self.queue = queue
    questions = environment.questions
    self.network = network
    self.allowsMetered = allowsMetered
    self.store = store
    marks = TimedCache(validity: 1000, environment)
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    if phase == .admission { try network.begin(loopback: part.isLoopback) }
    guard let verdict = network.reading(loopback: part.isLoopback)?.verdict,
      verdict.applies(loopback: part.isLoopback), !allowsMetered, try !isMarked(part.episode),
      try !isAllowed(part.episode, verdict, in: phase)
    else { return nil }
    return Failure(
      code,
      "'\(part.episode)' waits for an unmetered network; this one is metered (\(verdict.source))")
  }

  /// Other running transfers do not justify a wait for a part that has not begun: they may be
  /// allowed to use the network while this part is not.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsOpenWait(ifActive: part.hasBegun)
  }

  /// Whether the user allows it; asks if that is unknown and the phase may block.
  private func isAllowed(
    _ id: EpisodeID, _ verdict: MeteredVerdict, in phase: TransferPhase
  ) throws -> Bool {
    guard let questions else { return false }
    if let known = cachedDecision(for: id) { return known }
    guard phase == .admission || phase == .wait else { return false }
    func ask() throws -> Bool {
      queue.endTurn(of: id)
      if let known = cachedDecision(for: id) { return known }
      let answer = try questions.confirmMetered(for: id, source: verdict.source)
      lastAnswer.withLock { $0 = (answer, id.show) }
      return answer != .no
    }
    // The first episode in the queue asks. It leaves the start order only then, so that later
    // episodes continue.
    if let isAllowed = try asking.withLockIfAvailable({ _ in try ask() }) { return isAllowed }
    queue.endTurn(of: id)
    return try asking.withLock { _ in try ask() }
  }

  private func cachedDecision(for id: EpisodeID) -> Bool? {
    lastAnswer.withLock { given in
      given.map { $0.answer == .yes || $0.answer == .always && $0.show == id.show }
    }
  }

  private func isMarked(_ id: EpisodeID) throws -> Bool {
    try marks.value(for: id) {
      let snapshot = try store.snapshot()
      return try snapshot.episode(id)?.isMeteredOK == true
        || snapshot.record(.show, id.show)?.fields["metered_ok"]?.bool == true
    }
  }
}
