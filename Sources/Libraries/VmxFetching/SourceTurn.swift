import Synchronization
import VmxModel
import VmxStore
import VmxTransfer

/// The permit of a transfer and its place at the host of the source that is tried.
///
/// Limits, trials and silence of a host concern that host only. Both slots therefore follow the
/// transfer from source to source. If the next host has no room, its source is passed over.
final class SourceTurn: Sendable {
  private struct State {
    var slot: HostSlot?
    /// Whether a source is tried.
    var isTrying = false
    /// The failure of the last attempt, if the host did not respond to it.
    var missed: Failure?
  }

  private let permit: TransferPermit
  private let refusals: ServerRefusals
  private let state: Mutex<State>

  /// Begins with a place at the host that will probably be tried first.
  init(_ slot: HostSlot?, _ permit: TransferPermit, _ refusals: ServerRefusals) {
    self.permit = permit
    self.refusals = refusals
    state = Mutex(State(slot: slot))
  }

  /// Acquires the slots of the host of a source, and releases those of the host before.
  ///
  /// - Returns: the reason not to request the source now; nil if it may be requested.
  func move(to url: String) -> Failure? {
    guard let host = HostName(url: url) else { return nil }
    return state.withLock { state -> Failure? in
      (state.isTrying, state.missed) = (true, nil)
      guard state.slot?.host != host else { return nil }
      state.slot?.release()
      state.slot = refusals.acquireSlot(at: host)
      guard state.slot != nil else { return refusals.isFull(host) }
      do throws(StoreError) {
        return try permit.move(to: host.host) ? nil : refusals.isFull(host)
      } catch {
        return Failure(error)
      }
    }
  }

  /// The reason to give the source up in favour of others, because its host does not respond.
  var refusal: Failure? {
    state.withLock { state in
      guard state.isTrying, let slot = state.slot else { return nil }
      if slot.isTrialOver { return refusals.hasNotResponded(slot.host) }
      return slot.admission.isUnresponsive(slot.host) ? state.missed : nil
    }
  }

  /// Records that a host has responded, which may be the target of a redirect.
  func recordResponse(_ host: HostName) {
    state.withLock { state in
      guard let slot = state.slot else { return }
      state.missed = nil
      slot.admission.recordResponse(host)
      slot.admission.recordResponse(slot.host)
    }
  }

  /// Records that the host of the source did not respond to an attempt.
  ///
  /// - Parameter isLast: whether the source is given up.
  func recordNoResponse(_ failure: Failure, isLast: Bool) {
    state.withLock { state in
      if !isLast { state.missed = failure }
      guard let slot = state.slot else { return }
      slot.admission.recordNoResponse(slot.host)
      if isLast { slot.admission.recordAbandonment(slot.host) }
    }
  }

  /// Releases the permit as soon as all bytes have arrived.
  func releasePermit() { permit.release() }

  /// Ends the transfer.
  func end() {
    state.withLock { state in
      state.slot?.release()
      state.slot = nil
    }
  }
}
