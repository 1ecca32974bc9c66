import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

// The needs of a transfer, in the order of the checks, and the consequence of a refusal:
//
//   order        the episodes before it have sent their first requests     waits for its turn
//   host         pace, limit of the run, trials of unresponsive hosts      back to the queue
//   policies     dependency, budget, licence, window, network, cap, space  recorded as waiting
//   permit       limits of the process, the machine and the host           waits for a release
//
// `admit` checks the first three, before anything about the part is recorded; `permit` acquires the
// rest for the transfer itself. A signal of this process ends a wait. Locks and records of other
// processes send none, so all waits check them at one interval.

/// Decides when the transfers of a run start.
///
///     if let end = try scheduler.admit(part, measure: { $0.missing = size }).end { throw end }
///     let permit = try scheduler.permit(for: part)
///     defer { permit.end() }
final class TransferScheduler: Sendable {
  /// The answer to a part that is to be transferred.
  enum Admission: Sendable {
    case start
    /// The part goes back to the queue, unchanged.
    case later(Failure)
    /// The part is recorded as waiting; see `wait`.
    case wait(Failure)
    /// The user no longer wants the part.
    case unwanted

    /// Creates the answer for a part that is refused before or during its transfer. A limit of the
    /// run and the user's hold leave the state unchanged.
    init(refusal: Failure) {
      switch refusal.code {
      case .budgetSpent, .rateLimited: self = .later(refusal)
      case .held: self = .unwanted
      default: self = .wait(refusal)
      }
    }

    /// The error that ends the work on the part; nil if it starts.
    var end: (any Error)? {
      switch self {
      case .start: nil
      case .later(let failure): WorkEnded.postponed(failure)
      case .wait(let failure): failure
      case .unwanted: WorkEnded.wantChanged
      }
    }
  }

  /// The interval in milliseconds at which a wait checks the locks and records of other processes.
  private static let checkInterval: Int64 = 100

  /// The episodes, in the order in which they start.
  let queue: WorkQueue
  /// The conditions for which a part waits.
  let policies: TransferPolicies
  /// The hosts of the run.
  let hosts: HostAdmission
  /// The limits of simultaneous transfers.
  let limiter: TransferLimiter
  /// The refusals by servers so far.
  let refusals: ServerRefusals
  private let changes = ChangeSignal()
  private let interruption: Interruption
  private let clock: any WallClock
  private let cancellations: CancellationMonitor

  /// Creates the scheduler of a run.
  ///
  /// - Parameter memory: the pace and the penalties of the hosts.
  init(
    _ settings: FetchSettings, store: LibraryStore, mediaRoots: MediaRoots,
    environment: FetchEnvironment, memory: HostStateStore
  ) {
    let hosts = HostAdmission(
      jobs: settings.jobs, hostLimit: settings.perHost, memory, environment)
    self.hosts = hosts
    queue = WorkQueue(of: store, transfers: settings.jobs) { hosts.delay(of: HostName($0)) }
    policies = TransferPolicies(
      settings, store: store, mediaRoots: mediaRoots, environment: environment, changes: changes,
      queue: queue)
    limiter = TransferLimiter(
      own: settings.jobs, machine: settings.machineJobs, host: settings.perHost,
      slots: store.slots)
    refusals = ServerRefusals(memory, settings: settings, environment: environment)
    interruption = environment.interruption
    clock = environment.clock
    cancellations = CancellationMonitor(store, environment)
  }

  /// Decides whether the work on a part continues with its transfer. Waits for its turn.
  ///
  /// - Parameter measure: adds the folder and the bytes that the policies need, at its turn.
  /// - Throws: `WorkEnded`; errors of the policies and of `measure`.
  func admit(
    _ part: PolicySubject, measure: (inout PolicySubject) throws -> Void
  ) throws -> Admission {
    // The host is checked before the order of episodes. Once it may be queried, an earlier episode
    // that went back to the queue because of it counts as earlier again.
    var earlier: WorkQueue.Earlier?
    repeat {
      try queue.waitForStart(of: part.episode, checkingEvery: Self.checkInterval) {
        try checkStop(part.episode)
      }
      if let host = hosts.next(of: part.servers), hosts.delay(of: host) > 0 {
        return .later(noRoom(part))
      }
      earlier = queue.earlier(than: part.episode)
      if earlier == .waiting { return .later(noRoom(part)) }
    } while earlier != nil
    var measured = part
    try measure(&measured)
    return try policies.admission(of: measured).map(Admission.init(refusal:)) ?? .start
  }

  /// Acquires the grant of a host and the slots of a transfer; waits for the slots.
  ///
  /// - Throws: `WorkEnded`, with `postponed` if no host of the part has room; errors of the lock
  ///   file.
  func permit(for part: PolicySubject) throws -> TransferPermit {
    let grant = hosts.acquire(anyOf: part.servers)
    guard grant != nil || part.servers.isEmpty else { throw WorkEnded.postponed(noRoom(part)) }
    let permit = TransferPermit(grant, of: self)
    do {
      _ = try changes.retry(every: Self.checkInterval) { () -> Bool? in
        let attempt = try limiter.attempt(for: grant?.host.host)
        if case .acquired(let slots) = attempt { permit.hold(slots) }
        // An episode put on hold while it waited does not begin.
        try checkStop(part.episode)
        switch attempt {
        case .acquired: return true
        case .hostFull: throw WorkEnded.postponed(noRoom(part, for: Self.checkInterval))
        case .machineFull: return nil
        }
      }
      return permit
    } catch {
      permit.end()
      throw error
    }
  }

  /// Waits until a refused part may resume, if the run waits for that.
  ///
  /// - Parameters:
  ///   - first: the refusal that was recorded.
  ///   - report: called with the refusal at each check.
  /// - Returns: false if the part is left to a later run.
  /// - Throws: `WorkEnded`; errors of the store.
  func wait(
    for part: PolicySubject, after first: Failure, report: (Failure) -> Void
  ) throws -> Bool {
    var refusal = first
    let start = Deadline(milliseconds: policies.delay(after: first, of: part))
    return try changes.retry(every: Self.checkInterval) {
      try checkStop(part.episode)
      let current = policies.refusal(of: part, in: .wait)
      if start.isPast, current?.code != first.code { return true }
      refusal = current ?? refusal
      guard try policies.waits(for: refusal, of: part) else { return false }
      report(refusal)
      return nil
    }
  }

  /// Waits briefly for the claim of an episode that another process holds.
  ///
  /// - Throws: `WorkEnded.interrupted`.
  func waitForClaim(of id: EpisodeID) throws {
    queue.endTurn(of: id)
    guard !interruption.isRequested else { throw WorkEnded.interrupted }
    changes.wait(milliseconds: Self.checkInterval)
  }

  /// Wakes all waits after a request to stop.
  func stop() { changes.signal() }
}

// Stops.
extension TransferScheduler {
  /// Whether the process has been requested to stop.
  var shouldStop: Bool { interruption.isRequested }

  /// Records that an episode is wanted, just after that was written to the store.
  func markWanted(_ id: EpisodeID) { cancellations.markWanted(id) }

  /// The reason to stop the transfer of a part; nil while it may continue. Changes by other
  /// processes are noticed within half a second.
  func stop(of part: PolicySubject) -> StopRequest? {
    if shouldStop { return .interrupted }
    let refusal =
      cancellations.refusal(of: part.episode) ?? policies.refusal(of: part, in: .transfer)
    return refusal.map { .held($0) }
  }

  private func checkStop(_ id: EpisodeID) throws {
    guard !shouldStop else { throw WorkEnded.interrupted }
    guard cancellations.refusal(of: id) == nil else { throw WorkEnded.wantChanged }
  }
}

// Hosts and slots. Each change that may let another episode start wakes one that waits for it.
extension TransferScheduler {
  /// Releases the grant of a host.
  func release(_ grant: HostAdmission.Grant) {
    if hosts.release(grant) { queue.wake() }
  }

  /// Releases the slots of a transfer.
  func release(_ slots: TransferLimiter.Slots) {
    limiter.release(slots)
    changes.signal()
  }

  /// Records that a host has responded.
  func recordResponse(_ host: HostName) {
    if hosts.recordResponse(host) { queue.wake() }
  }

  private func noRoom(_ part: PolicySubject, for milliseconds: Int64 = 0) -> Failure {
    hostFull(part.servers.first ?? HostName(""), milliseconds)
  }

  /// The reason to pass over a source whose host grants no transfer.
  func hostFull(_ host: HostName) -> Failure {
    let delay = hosts.delay(of: host)
    return hostFull(host, delay == .max ? Self.checkInterval : max(Self.checkInterval, delay))
  }

  private func hostFull(_ host: HostName, _ milliseconds: Int64) -> Failure {
    Failure(
      .rateLimited, "'\(host)' is at its limit of transfers",
      retryAt: clock.now.adding(milliseconds: milliseconds))
  }

  /// The reason to pass over a source whose host was tried for a short time.
  func hostSilent(_ host: HostName) -> Failure {
    Failure(
      .rateLimited, "no response from '\(host)' yet; other hosts go first",
      retryAt: clock.now.adding(milliseconds: HostAdmission.trialInterval))
  }
}
