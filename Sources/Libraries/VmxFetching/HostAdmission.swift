import Synchronization
import VmxModel
import VmxSystem
import VmxTransfer

// No worker sleeps while a host must not be queried. Before it requests a source, each worker asks
// for a slot of the host. Without one, the next source of the part is tried. If no source of the
// part has a free host, the episode goes back to the queue, and the worker dequeues another one.
//
// A host that has not responded yet may be dead. At most half of the places wait for such hosts, so
// that a responding host does not wait behind a dead one. A further unresponsive host is tried for
// a short time only; without a response, its episode goes back to the queue. Once a transfer has
// used all its attempts without a response, other transfers from that host get one attempt each in
// this run.

/// Decides whether a transfer from a host may begin now.
final class HostAdmission: Sendable {
  /// The time in milliseconds for which an unresponsive host is tried beyond the limit.
  private static let trialDuration: Int64 = 2000
  /// The time in milliseconds between the end of such a trial and the next one.
  static let trialInterval: Int64 = 5000
  /// The time in milliseconds after which a full host or a full limit is checked again.
  private static let pollInterval: Int64 = 20

  private struct State {
    var responsive: Set<HostName> = []
    /// The hosts that a transfer has given up without a response.
    var unresponsive: Set<HostName> = []
    var active: [HostName: Int] = [:]
    /// The earliest time of the next trial of a host, in milliseconds on the monotonic clock.
    var nextTrial: [HostName: Int64] = [:]

    var unresponsiveCount: Int {
      active.reduce(0) { $0 + (responsive.contains($1.key) ? 0 : $1.value) }
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
  ///   - places: the number of simultaneous transfers of the run.
  ///   - hostLimit: the number of these transfers from one host. If it is not below `places`, the
  ///     permits of the run limit a host too, and workers wait for them in the order of the queue.
  init(
    places: Int, hostLimit: Int64, _ memory: HostStateStore, _ environment: FetchEnvironment
  ) {
    maxUnresponsive = max(1, places / 2)
    self.hostLimit = hostLimit < places ? Int(hostLimit) : .max
    self.memory = memory
    monotonicNow = environment.monotonicNow
  }

  /// The milliseconds until a transfer from a host may begin; 0 if it may now.
  func delay(of host: HostName) -> Int64 {
    let delay = memory.delay(of: host)
    return delay > 0 ? delay : state.withLock { Self.delay(of: host, $0, monotonicNow(), self) }
  }

  /// Begins a transfer from a host.
  ///
  /// - Returns: nil if it may not begin now.
  func acquire(_ host: HostName) -> HostSlot? {
    let now = monotonicNow()
    return state.withLock { state in
      guard Self.delay(of: host, state, now, self) == 0 else { return nil }
      let isTrial = !state.responsive.contains(host) && state.unresponsiveCount >= maxUnresponsive
      if isTrial { state.nextTrial[host] = now + Self.trialDuration + Self.trialInterval }
      state.active[host, default: 0] += 1
      return HostSlot(host, self, trialEnd: isTrial ? now + Self.trialDuration : nil)
    }
  }

  private static func delay(
    of host: HostName, _ state: State, _ now: Int64, _ admission: HostAdmission
  ) -> Int64 {
    let active = state.active[host] ?? 0
    if active >= admission.hostLimit { return pollInterval }
    if state.responsive.contains(host) || state.unresponsiveCount < admission.maxUnresponsive {
      return 0
    }
    return active > 0 ? pollInterval : max(0, (state.nextTrial[host] ?? 0) - now)
  }

  /// Records that a host has responded.
  func recordResponse(_ host: HostName) {
    state.withLock { state in
      if state.responsive.insert(host).inserted { state.unresponsive.remove(host) }
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

  fileprivate func hasResponded(_ host: HostName) -> Bool {
    state.withLock { $0.responsive.contains(host) }
  }

  fileprivate func isPast(_ end: Int64) -> Bool { monotonicNow() >= end }

  fileprivate func release(_ host: HostName) {
    state.withLock { state in
      let left = (state.active[host] ?? 1) - 1
      state.active[host] = left > 0 ? left : nil
    }
  }
}

/// The place of one transfer at a host, until `release`.
final class HostSlot: Sendable {
  /// The host.
  let host: HostName
  let admission: HostAdmission
  private let trialEnd: Int64?
  private let isReleased = Atomic(false)

  fileprivate init(_ host: HostName, _ admission: HostAdmission, trialEnd: Int64?) {
    self.host = host
    self.admission = admission
    self.trialEnd = trialEnd
  }

  /// Whether the host was tried beyond the limit and has not responded in time.
  var isTrialOver: Bool {
    trialEnd.map { admission.isPast($0) && !admission.hasResponded(host) } ?? false
  }

  /// Ends the transfer; a second call has no effect.
  func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    admission.release(host)
  }
}
