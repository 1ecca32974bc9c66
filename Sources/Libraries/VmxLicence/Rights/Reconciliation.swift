package import VmxModel

/// The meaning of a licence at a given time: its state, the reason as text for the user, and the
/// pending calls.
package struct Reconciliation: Sendable, Equatable {
  /// A call to the backend.
  package enum Call: Sendable, Equatable {
    /// Fetch the newer licence document.
    case update
    /// Register the device after the first play.
    case register
    /// Request a later end.
    case renew
    /// Return the licence.
    case returnLicence
  }

  /// The resting state.
  package var state: LicenceState
  /// The reason for the state.
  package var reason: LicenceReason
  /// The end of the right to watch; nil for none.
  package var ends: Timestamp?
  /// The pending calls, in the order in which they are made.
  package var calls: [Call]
}

/// The reason for a licence's state.
package enum LicenceReason: Sendable, Equatable {
  /// The stricter of the two sources, which therefore decides.
  package enum Origin: Sendable, Equatable { case licence, backend }

  case unlimited
  case valid(until: Timestamp)
  /// The period starts with the first play; `until` is the end without a play.
  case notStarted(period: Int64, until: Timestamp?)
  case pending(from: Timestamp)
  case expired(on: Timestamp, by: Origin)
  case renewable(on: Timestamp, until: Timestamp?)
  case returned(on: Timestamp)
  case revoked(message: String, devices: Int?)
  case cancelled(message: String)
  /// The document's end precedes its start.
  case impossible
  /// The clock is too unreliable to judge rights by time.
  case clockSuspect(until: Timestamp?)

  /// The reason as one phrase without a full stop.
  ///
  /// - Parameter zone: the time zone of times; nil for UTC.
  package func phrase(in zone: (any LocalZone)? = nil) -> String {
    func text(_ time: Timestamp) -> String { zone?.text(of: time) ?? time.text }
    switch self {
    case .unlimited: return "valid without end"
    case .valid(let until): return "valid until \(text(until))"
    case .notStarted(let period, let until):
      let limit = until.map { ", until \(text($0)) at the latest" } ?? ""
      return "not started: \(DurationText.text(of: period)) from the first play\(limit)"
    case .pending(let from): return "playable from \(text(from))"
    case .expired(let on, .licence): return "expired on \(text(on))"
    case .expired(let on, .backend): return "expired on \(text(on)) by the provider's status"
    case .renewable(let on, let until):
      return "expired on \(text(on)); can be renewed\(until.map { " until \(text($0))" } ?? "")"
    case .returned(let on): return "returned on \(text(on))"
    case .revoked(let message, let devices):
      let count = devices.map { $0 > 0 ? ", \($0 == 1 ? "1 device" : "\($0) devices") had it" : "" }
      return "withdrawn by the provider: \(message)\(count ?? "")"
    case .cancelled(let message): return "cancelled before use: \(message)"
    case .impossible: return "never valid: its end is before its start"
    case .clockSuspect(let until):
      return "valid\(until.map { " until \(text($0))" } ?? ""), but the clock is suspect"
    }
  }
}

/// Derives the state of a licence from the local facts and the backend's status.
///
/// The stricter of the two decides. A backend that was never reached, or whose responses cannot be
/// read, restricts nothing: the dates of the document apply, also offline.
///
/// - Parameters:
///   - backend: nil if no status document was ever read.
///   - now: nil while the clock is unreliable. No right then begins or ends by time.
package func reconcile(
  _ local: LocalLicence, _ backend: BackendView?, now: Timestamp?
) -> Reconciliation {
  let end = local.end
  var result = reconcile(local, backend, end: end, now: now)
  if let status = backend?.status, [.revoked, .cancelled, .returned].contains(status) {
    return result
  }
  if let backend, backend.licenceChanged > local.changed, backend.offers.contains(.licence) {
    result.calls.append(.update)
  }
  switch local.call?.kind {
  case .returnLicence: result.calls.append(.returnLicence)
  case .renew: result.calls.append(.renew)
  case nil: break
  }
  if local.played != nil, local.registered == nil, let backend, !backend.status.isEnded,
    backend.offers.contains(.register)
  {
    result.calls.append(.register)
  }
  return result
}

private func reconcile(
  _ local: LocalLicence, _ backend: BackendView?, end: Timestamp?, now: Timestamp?
) -> Reconciliation {
  /// Returns the end according to the backend, which counts from the time when that status was
  /// first read.
  func told(_ view: BackendView) -> Timestamp { end.map { min($0, view.since) } ?? view.since }
  func result(_ state: LicenceState, because words: LicenceReason, ends: Timestamp?)
    -> Reconciliation
  {
    Reconciliation(state: state, reason: words, ends: ends, calls: [])
  }
  if let backend {
    switch backend.status {
    case .revoked:
      return result(
        .revoked, because: .revoked(message: backend.message, devices: backend.devices),
        ends: told(backend))
    case .cancelled:
      return result(.revoked, because: .cancelled(message: backend.message), ends: told(backend))
    case .returned:
      return result(.returned, because: .returned(on: backend.since), ends: told(backend))
    case .expired: return ended(told(backend), by: end == told(backend) ? .licence : .backend)
    case .ready, .active: break
    }
  }
  /// Returns the result for an expired licence. It is renewable if the backend links a renewal and
  /// the latest possible end is in the future.
  func ended(_ end: Timestamp, by origin: LicenceReason.Origin) -> Reconciliation {
    guard let backend, !backend.offers.isDisjoint(with: [.renew, .renewPage]),
      backend.potentialEnd.map({ limit in now.map { limit > $0 } ?? true }) ?? true
    else { return result(.expired, because: .expired(on: end, by: origin), ends: end) }
    return result(.renewable, because: .renewable(on: end, until: backend.potentialEnd), ends: end)
  }
  if let start = local.starts, let ends = local.ends, ends < start {
    return result(.expired, because: .impossible, ends: ends)
  }
  guard let now else { return result(.usable, because: .clockSuspect(until: end), ends: end) }
  if let end, end <= now { return ended(end, by: .licence) }
  if let start = local.starts, start > now {
    return result(.pending, because: .pending(from: start), ends: end)
  }
  if let period = local.playPeriod, local.played == nil {
    return result(.usable, because: .notStarted(period: period, until: end), ends: end)
  }
  return result(.usable, because: end.map { .valid(until: $0) } ?? .unlimited, ends: end)
}
