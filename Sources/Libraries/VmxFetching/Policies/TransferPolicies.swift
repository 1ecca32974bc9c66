import Synchronization
import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// The transfer policies of a run, checked in order.
final class TransferPolicies: Sendable {
  private let list: [any TransferPolicy]
  private let budget: RunBudget
  private let dependencies: DependencyPolicy
  private let settings: FetchSettings
  private let environment: FetchEnvironment
  private let network: NetworkMonitor
  /// The time of the last received bytes, in milliseconds.
  private let lastFlow = Mutex<Int64?>(nil)

  /// Creates the policies of a run on this machine; the first refusal of a part counts.
  init(
    _ settings: FetchSettings, store: LibraryStore, mediaRoots: MediaRoots,
    environment: FetchEnvironment, changes: ChangeSignal, queue: WorkQueue
  ) {
    self.settings = settings
    self.environment = environment
    dependencies = DependencyPolicy(store, maxWaiting: settings.jobs, changes: changes)
    budget = RunBudget(bytes: settings.maxBytes, time: settings.maxTime, environment)
    network = NetworkMonitor(
      settings.metered, configuredName: settings.networkName, environment: environment,
      changes: changes)
    let quota = settings.quota.map {
      QuotaPolicy($0, environment) { try diskUsage(of: store, mediaRoots) }
    }
    let policies: [(any TransferPolicy)?] = [
      dependencies,
      budget,
      LicencePolicy(store, settings: settings.licence, environment: environment),
      WindowPolicy(settings.window, environment),
      RoutePolicy(environment),
      MeteredPolicy(
        network, allowsMetered: settings.allowsMetered, store: store, environment: environment,
        queue: queue),
      CapPolicy(settings.cap, network: network, store: store, environment: environment),
      quota,
      FreeSpacePolicy(reserve: settings.reserve, environment),
    ]
    list = policies.compactMap { $0 }
  }

  /// Records that the run begins an episode.
  ///
  /// - Returns: false once the budget of the run is spent, unless the user named the episode; such
  ///   an episode begins, so that its refusal is reported.
  func begin(_ id: EpisodeID, isAsked: Bool) -> Bool {
    guard isAsked || budget.refusal == nil else { return false }
    dependencies.begin(id)
    return true
  }

  /// The waits for servers that the run accepts now; none is longer than the run's remaining time.
  var serverWaits: WorkWaits {
    let waits = settings.serverWaits
    guard let left = budget.remainingTime else { return waits }
    return WorkWaits(maxWait: min(waits.maxWait, left), refusals: waits.refusals)
  }

  /// Whether a request outside the transfers would use a metered network that the user does not
  /// allow.
  ///
  /// - Throws: `resources-short`.
  func isMetered(loopback isLoopback: Bool) throws(ProcessError) -> Bool {
    guard !settings.allowsMetered else { return false }
    try network.begin(loopback: isLoopback)
    return network.reading(loopback: isLoopback)?.verdict.applies(loopback: isLoopback) == true
  }

  /// Records that the run has finished an episode.
  func end(_ id: EpisodeID) { dependencies.end(id) }

  /// Returns the refusal of a part before its first byte; nil if it may begin.
  ///
  /// - Throws: errors of the policies.
  func admission(of part: PolicySubject) throws -> Failure? {
    for policy in list {
      if let refusal = try policy.refusal(of: part, in: .admission) {
        // An earlier policy may have reserved something before this one refused.
        handle(.ended, of: part)
        return refusal
      }
    }
    return nil
  }

  /// Returns the refusal of a part that is transferred or waits; nil if it may continue.
  func refusal(of part: PolicySubject, in phase: TransferPhase) -> Failure? {
    do {
      for policy in list {
        if let refusal = try policy.refusal(of: part, in: phase) { return refusal }
      }
    } catch {
      // If the store cannot be read, the work soon ends with the store's own error.
    }
    return nil
  }

  /// Whether the run waits until a refusal has passed instead of leaving the part to a later run.
  ///
  /// - Throws: errors of the store.
  func waits(for refusal: Failure, of part: PolicySubject) throws -> Bool {
    let moment = environment.monotonicNow()
    let limits = WaitLimits(
      maxWait: settings.maxWait, waits: settings.waits, now: environment.clock.now,
      idle: lastFlow.withLock { $0.map { moment - $0 } })
    return try policy(of: refusal)?.waits(for: refusal, of: part, limits) ?? false
  }

  /// Returns the minimum length of the wait after a refusal, in milliseconds.
  func delay(after refusal: Failure, of part: PolicySubject) -> Int64 {
    policy(of: refusal)?.delay(afterRefusalOf: part) ?? 0
  }

  /// Informs all policies of an event.
  func handle(_ event: TransferEvent, of part: PolicySubject) {
    if case .received = event {
      let moment = environment.monotonicNow()
      lastFlow.withLock { $0 = moment }
    }
    for policy in list { policy.handle(event, of: part) }
  }

  /// Records the counted bytes.
  ///
  /// - Throws: errors of the store.
  func close() throws {
    for policy in list { try policy.close() }
  }

  private func policy(of refusal: Failure) -> (any TransferPolicy)? {
    list.first { $0.code == refusal.code }
  }
}
