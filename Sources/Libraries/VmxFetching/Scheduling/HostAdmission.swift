import Synchronization
import VmxModel
import VmxTransfer

// No worker sleeps while a host must not be queried. Before it requests a source, each worker asks
// for a grant of the host. Without one, the next source of the part is tried. If no source of the
// part has a free host, the episode goes back to the queue, and the worker dequeues another one.
//
// A host that has not responded yet may be dead. At most half of the places wait for such hosts, so
// that a responding host does not wait behind a dead one. A further unresponsive host is tried for
// a short time only; without a response, its episode goes back to the queue. Once a transfer has
// used all its attempts without a response, other transfers from that host get one attempt each in
// this run.

/// The hosts of a run: which of them respond, and whether a transfer from one may begin now.
final class HostAdmission: Sendable {
  /// The right of a transfer to use a host.
  struct Grant: Sendable {
    /// The host.
    let host: HostName
    /// The end of a trial, in milliseconds on the monotonic clock; nil without a trial.
    let trialEnd: Int64?
  }

  /// The time in milliseconds for which an unresponsive host is tried beyond the limit.
  private static let trialDuration: Int64 = 2000
  /// The time in milliseconds between the end of such a trial and the next one.
  static let trialInterval: Int64 = 5000

  private struct State {
    var responsive: Set<HostName> = []
    /// The hosts that a transfer has given up without a response.
    var unresponsive: Set<HostName> = []
    var active: [HostName: Int] = [:]
    /// The earliest time of the next trial of a host, in milliseconds on the monotonic clock.
    var nextTrial: [HostName: Int64] = [:]
    /// Whether a delay was returned that a release or a response may end.
    var isAwaited = false

    var unresponsiveCount: Int {
      active.reduce(0) { $0 + (responsive.contains($1.key) ? 0 : $1.value) }
    }

    /// Returns whether a delay may have ended, and forgets it.
    mutating func endDelays() -> Bool {
      defer { isAwaited = false }
      return isAwaited
    }
  }

  private let maxUnresponsive: Int
  private let hostLimit: Int
  private let memory: HostStateStore
  private let monotonicNow: @Sendable () -> Int64
  private let state = Mutex(State())

  /// Creates the admission of a run.
  ///
  /// - Parameters:
  ///   - jobs: the number of simultaneous transfers of the run.
  ///   - hostLimit: the number of these transfers from one host. If it is not below `places`, the
  ///     permits of the run limit a host too, and workers wait for them in the order of the queue.
  init(
    jobs: Int, hostLimit: Int64, _ memory: HostStateStore, _ environment: FetchEnvironment
  ) {
    maxUnresponsive = max(1, jobs / 2)
    self.hostLimit = hostLimit < jobs ? Int(hostLimit) : .max
    self.memory = memory
    monotonicNow = environment.monotonicNow
  }

  /// The milliseconds until a transfer from a host may begin; 0 if it may now, and `Int64.max` if
  /// it must wait for another transfer.
  func delay(of host: HostName) -> Int64 {
    let delay = memory.delay(of: host)
    if delay > 0 { return delay }
    return state.withLock { state in
      let delay = self.delay(of: host, state, monotonicNow())
      if delay > 0 { state.isAwaited = true }
      return delay
    }
  }

  /// The first of these hosts that may be queried; nil without hosts.
  func next(of hosts: [HostName]) -> HostName? {
    hosts.min { delay(of: $0) < delay(of: $1) }
  }

  /// Orders the sources of a part: those whose hosts were given up without a response come last.
  func responsiveFirst<Source>(_ sources: [Source], host: (Source) -> HostName?) -> [Source] {
    let silent = sources.map { host($0).map(isUnresponsive) ?? false }
    return [false, true].flatMap { wanted in
      zip(sources, silent).filter { $0.1 == wanted }.map(\.0)
    }
  }

  /// Acquires a grant of the first of these hosts that has one; those given up without a response
  /// come last.
  func acquire(anyOf hosts: [HostName]) -> Grant? {
    for host in responsiveFirst(hosts, host: { $0 }) {
      if let grant = acquire(host) { return grant }
    }
    return nil
  }

  /// Acquires the grant of a host; nil if a transfer from it may not begin now.
  func acquire(_ host: HostName) -> Grant? {
    let now = monotonicNow()
    return state.withLock { state in
      guard delay(of: host, state, now) == 0 else { return nil }
      let isTrial = !state.responsive.contains(host) && state.unresponsiveCount >= maxUnresponsive
      if isTrial { state.nextTrial[host] = now + Self.trialDuration + Self.trialInterval }
      state.active[host, default: 0] += 1
      return Grant(host: host, trialEnd: isTrial ? now + Self.trialDuration : nil)
    }
  }

  private func delay(of host: HostName, _ state: State, _ now: Int64) -> Int64 {
    let active = state.active[host] ?? 0
    if active >= hostLimit { return .max }
    if state.responsive.contains(host) || state.unresponsiveCount < maxUnresponsive { return 0 }
    return active > 0 ? .max : max(0, (state.nextTrial[host] ?? 0) - now)
  }

  /// Releases a grant.
  ///
  /// - Returns: whether a delay may have ended.
  func release(_ grant: Grant) -> Bool {
    state.withLock { state in
      let left = (state.active[grant.host] ?? 1) - 1
      state.active[grant.host] = left > 0 ? left : nil
      return state.endDelays()
    }
  }

  /// Records that a host has responded.
  ///
  /// - Returns: whether a delay may have ended.
  func recordResponse(_ host: HostName) -> Bool {
    state.withLock { state in
      guard state.responsive.insert(host).inserted else { return false }
      state.unresponsive.remove(host)
      return state.endDelays()
    }
  }

  /// Records that a host has not responded to an attempt.
  func recordNoResponse(_ host: HostName) {
    state.withLock { _ = $0.responsive.remove(host) }
  }

  /// Records that a transfer has given a host up.
  func recordAbandonment(_ host: HostName) {
    state.withLock { state in
      if !state.responsive.contains(host) { state.unresponsive.insert(host) }
    }
  }

  /// Whether a transfer has given the host up and the host has not responded since.
  func isUnresponsive(_ host: HostName) -> Bool {
    state.withLock { $0.unresponsive.contains(host) }
  }

  /// Whether the host of a grant was tried beyond the limit and has not responded in time.
  func isTrialOver(_ grant: Grant) -> Bool {
    guard let end = grant.trialEnd, monotonicNow() >= end else { return false }
    return state.withLock { !$0.responsive.contains(grant.host) }
  }
}
