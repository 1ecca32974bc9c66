import Synchronization
import VmxModel
import VmxSystem
import VmxTransfer

// No worker sleeps while a host must not be queried. Before a transfer, the worker checks the gate.
// If the gate refuses, the episode goes back to the queue and the worker dequeues an episode of
// another host.
// A host that has not responded yet may be dead. At most half of the places wait for such hosts, so
// that a responding host does not wait behind a dead one. A further unresponsive host is tried for
// a short time only; without a response, its episode goes back to the queue. Once a transfer has
// used all its attempts without a response, other transfers from that host get one attempt each in
// this run.

/// Decides whether a transfer from a host may begin now.
final class HostGate: Sendable {
  /// The time in milliseconds for which an unresponsive host is tried beyond the limit.
  private static let trial: Int64 = 2000
  /// The time in milliseconds between the end of such a trial and the next one.
  private static let betweenTrials: Int64 = 5000
  /// The time in milliseconds after which a full host or a full limit is checked again.
  private static let betweenLooks: Int64 = 20

  private struct State {
    var answered: Set<HostName> = []
    /// The hosts that a transfer has given up without a response.
    var dead: Set<HostName> = []
    var active: [HostName: Int] = [:]
    /// The earliest time of the next trial of a host, in milliseconds on the monotonic clock.
    var nextTrial: [HostName: Int64] = [:]

    var silent: Int {
      active.reduce(0) { $0 + (answered.contains($1.key) ? 0 : $1.value) }
    }
  }

  private let silentLimit: Int
  private let hostLimit: Int
  private let memory: HostStateStore
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  /// Creates a gate for a run.
  ///
  /// - Parameters:
  ///   - places: the number of simultaneous transfers of the run.
  ///   - hostLimit: the number of these transfers from one host. If it is not below `places`, the
  ///     permits of the run limit a host too, and workers wait for them in the order of the queue.
  init(
    places: Int, hostLimit: Int64, _ memory: HostStateStore, _ environment: FetchEnvironment
  ) {
    silentLimit = max(1, places / 2)
    self.hostLimit = hostLimit < places ? Int(hostLimit) : .max
    self.memory = memory
    moment = environment.moment
  }

  /// The milliseconds until a transfer from a host may begin; 0 if it may now.
  func delay(of host: HostName) -> Int64 {
    let delay = memory.delay(of: host)
    return delay > 0 ? delay : state.withLock { Self.delay(of: host, $0, moment(), self) }
  }

  /// Begins a transfer from a host.
  ///
  /// - Returns: nil if it may not begin now.
  func enter(_ host: HostName) -> HostSlot? {
    let now = moment()
    return state.withLock { state in
      guard Self.delay(of: host, state, now, self) == 0 else { return nil }
      let isTrial = !state.answered.contains(host) && state.silent >= silentLimit
      if isTrial { state.nextTrial[host] = now + Self.trial + Self.betweenTrials }
      state.active[host, default: 0] += 1
      return HostSlot(host, self, trialEnd: isTrial ? now + Self.trial : nil)
    }
  }

  private static func delay(
    of host: HostName, _ state: State, _ now: Int64, _ gate: HostGate
  ) -> Int64 {
    let active = state.active[host] ?? 0
    if active >= gate.hostLimit { return betweenLooks }
    if state.answered.contains(host) || state.silent < gate.silentLimit { return 0 }
    return active > 0 ? betweenLooks : max(0, (state.nextTrial[host] ?? 0) - now)
  }

  /// Records that a host has responded.
  func answered(_ host: HostName) {
    state.withLock { state in
      if state.answered.insert(host).inserted { state.dead.remove(host) }
    }
  }

  /// Records that a host has not responded to an attempt.
  func missed(_ host: HostName) {
    state.withLock { _ = $0.answered.remove(host) }
  }

  /// Records that a transfer has given a host up.
  func gaveUp(_ host: HostName) {
    state.withLock { state in
      if !state.answered.contains(host) { state.dead.insert(host) }
    }
  }

  /// Whether a transfer has given the host up and the host has not responded since.
  func isDead(_ host: HostName) -> Bool { state.withLock { $0.dead.contains(host) } }

  fileprivate func hasAnswered(_ host: HostName) -> Bool {
    state.withLock { $0.answered.contains(host) }
  }

  fileprivate func isPast(_ end: Int64) -> Bool { moment() >= end }

  fileprivate func leave(_ host: HostName) {
    state.withLock { state in
      let left = (state.active[host] ?? 1) - 1
      state.active[host] = left > 0 ? left : nil
    }
  }
}

/// The place of one transfer at a host, until `leave`.
final class HostSlot: Sendable {
  /// The host.
  let host: HostName
  let gate: HostGate
  private let trialEnd: Int64?

  fileprivate init(_ host: HostName, _ gate: HostGate, trialEnd: Int64?) {
    self.host = host
    self.gate = gate
    self.trialEnd = trialEnd
  }

  /// Whether the host was tried beyond the limit and has not responded in time.
  var isTrialOver: Bool {
    trialEnd.map { gate.isPast($0) && !gate.hasAnswered(host) } ?? false
  }

  /// Ends the transfer. The caller calls it exactly once.
  func leave() { gate.leave(host) }
}
