import Synchronization
import VmxModel
import VmxStore
import VmxTransfer

/// The permission for one transfer: its slots, and its grant of the host of the source that is
/// tried.
///
/// Limits, trials and silence of a host concern that host only. Slot and grant therefore follow the
/// transfer from source to source. If the next host has no room, its source is passed over.
final class TransferPermit: Sendable {
  private struct State {
    var grant: HostAdmission.Grant?
    /// The slots, until all bytes have arrived.
    var slots: TransferLimiter.Slots?
    /// Whether a source is tried.
    var isTrying = false
    /// The failure of the last attempt, if the host did not respond to it.
    var missed: Failure?
  }

  private let scheduler: TransferScheduler
  private let state: Mutex<State>

  /// Creates a permit with the grant of the host that will probably be tried first.
  init(_ grant: HostAdmission.Grant?, of scheduler: TransferScheduler) {
    self.scheduler = scheduler
    state = Mutex(State(grant: grant))
  }

  /// Adds the slots of the transfer.
  func hold(_ slots: TransferLimiter.Slots) { state.withLock { $0.slots = slots } }

  private var hosts: HostAdmission { scheduler.hosts }

  /// Acquires the grant and the slot at the host of a source, and releases those at the host
  /// before.
  ///
  /// - Returns: the reason not to request the source now; nil if it may be requested.
  func move(to url: String) -> Failure? {
    guard let host = HostName(url: url) else { return nil }
    return state.withLock { state -> Failure? in
      (state.isTrying, state.missed) = (true, nil)
      guard state.grant?.host != host else { return nil }
      if let grant = state.grant { scheduler.release(grant) }
      state.grant = hosts.acquire(host)
      guard state.grant != nil else { return scheduler.hostFull(host) }
      guard var slots = state.slots else { return nil }
      defer { state.slots = slots }
      do throws(StoreError) {
        return try scheduler.limiter.move(&slots, to: host.host) ? nil : scheduler.hostFull(host)
      } catch {
        return Failure(error)
      }
    }
  }

  /// The reason to give the source up in favour of others, because its host does not respond.
  var refusal: Failure? {
    state.withLock { state in
      guard state.isTrying, let grant = state.grant else { return nil }
      if hosts.isTrialOver(grant) { return scheduler.hostSilent(grant.host) }
      return hosts.isUnresponsive(grant.host) ? state.missed : nil
    }
  }

  /// Records that a host has responded, which may be the target of a redirect.
  func recordResponse(_ host: HostName) {
    state.withLock { state in
      guard let grant = state.grant else { return }
      state.missed = nil
      scheduler.recordResponse(host)
      scheduler.recordResponse(grant.host)
    }
  }

  /// Records that the host of the source did not respond to an attempt.
  ///
  /// - Parameter isLast: whether the source is given up.
  func recordNoResponse(_ failure: Failure, isLast: Bool) {
    state.withLock { state in
      if !isLast { state.missed = failure }
      guard let grant = state.grant else { return }
      hosts.recordNoResponse(grant.host)
      if isLast { hosts.recordAbandonment(grant.host) }
    }
  }

  /// Releases the slots as soon as all bytes have arrived.
  func releaseSlots() {
    let slots = state.withLock { state in
      defer { state.slots = nil }
      return state.slots
    }
    if let slots { scheduler.release(slots) }
  }

  /// Ends the transfer; a second call has no effect.
  func end() {
    releaseSlots()
    let grant = state.withLock { state in
      defer { state.grant = nil }
      return state.grant
    }
    if let grant { scheduler.release(grant) }
  }
}
