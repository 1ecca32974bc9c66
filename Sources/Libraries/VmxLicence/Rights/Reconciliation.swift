package import VmxModel

/// The meaning of a licence at a moment: the state of vmx, the words for people, and the calls to
/// make.
package struct Reconciliation: Sendable, Equatable {
  /// A call to the backend.
  package enum Call: Sendable, Equatable {
    /// Fetch the newer licence document.
    case update
    /// Tell the first play.
    case register
    /// Ask for a later end.
    case renew
    /// Give the licence back.
    case giveBack
  }

  /// The resting state.
  package var state: LicenceState
  /// The reason of the state.
  package var words: LicenceWords
  /// The end of the right to watch; nil for none.
  package var ends: Timestamp?
  /// The calls to make, in their order.
  package var calls: [Call]
}

/// The reason of a licence's state.
package enum LicenceWords: Sendable, Equatable {
  /// The view that is stricter than the other one, and therefore counts.
  package enum Origin: Sendable, Equatable { case licence, backend }

  case unlimited
  case valid(until: Timestamp)
  /// The time begins to run with the first play; `until` is the end without one.
  case notStarted(period: Int64, until: Timestamp?)
  case pending(from: Timestamp)
  case expired(on: Timestamp, by: Origin)
  case renewable(on: Timestamp, until: Timestamp?)
  case returned(on: Timestamp)
  case revoked(message: String, devices: Int?)
  case cancelled(message: String)
  /// The document's end lies before its begin.
  case impossible
  /// The clock tells no time that a right can be judged by.
  case clockSuspect(until: Timestamp?)

  /// The reason as one phrase without a full stop.
  ///
  /// - Parameter zone: the time zone of times; nil for UTC.
  package func phrase(in zone: (any LocalZone)? = nil) -> String {
    func text(_ time: Timestamp) -> String { zone?.text(of: time) ?? time.text }
    switch self {
    case .unlimited: return "valid without an end"
    case .valid(let until): return "valid until \(text(until))"
    case .notStarted(let period, let until):
      let limit = until.map { ", until \(text($0)) at the latest" } ?? ""
      return "not started: \(DurationText.text(of: period)) from the first play\(limit)"
    case .pending(let from): return "can be played from \(text(from))"
    case .expired(let on, .licence): return "expired on \(text(on))"
    case .expired(let on, .backend): return "expired by the provider's status, \(text(on))"
    case .renewable(let on, let until):
      return "expired on \(text(on)); can be renewed\(until.map { " until \(text($0))" } ?? "")"
    case .returned(let on): return "given back on \(text(on))"
    case .revoked(let message, let devices):
      let count = devices.map { $0 > 0 ? ", \($0 == 1 ? "1 device" : "\($0) devices") had it" : "" }
      return "withdrawn by the provider: \(message)\(count ?? "")"
    case .cancelled(let message): return "cancelled before use: \(message)"
    case .impossible: return "never valid: its end lies before its begin"
    case .clockSuspect(let until):
      return "valid\(until.map { " until \(text($0))" } ?? ""), but the clock is suspect"
    }
  }
}

/// Derives the state of a licence from what vmx knows and what the backend says.
///
/// The stricter of the two counts. A backend that was never reached, or whose answers cannot be read,
/// restricts nothing: the document's own dates hold, also offline.
///
/// - Parameters:
///   - backend: nil if no status document was ever read.
///   - now: nil while the clock is suspect: then no right begins or ends by time.
package func reconcile(
  _ local: LocalLicence, _ backend: BackendView?, now: Timestamp?
) -> Reconciliation {
  let end = local.end
  var result = judgement(local, backend, end: end, now: now)
  if let status = backend?.status, [.revoked, .cancelled, .returned].contains(status) {
    return result
  }
  if let backend, backend.licenceChanged > local.changed, backend.offers.contains(.licence) {
    result.calls.append(.update)
  }
  switch local.call?.kind {
  case .giveBack: result.calls.append(.giveBack)
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

private func judgement(
  _ local: LocalLicence, _ backend: BackendView?, end: Timestamp?, now: Timestamp?
) -> Reconciliation {
  /// The end by the backend's word, which counts from the moment at which it was read.
  func told(_ view: BackendView) -> Timestamp { end.map { min($0, view.since) } ?? view.since }
  func result(_ state: LicenceState, _ words: LicenceWords, _ ends: Timestamp?) -> Reconciliation {
    Reconciliation(state: state, words: words, ends: ends, calls: [])
  }
  if let backend {
    switch backend.status {
    case .revoked:
      return result(
        .revoked, .revoked(message: backend.message, devices: backend.devices), told(backend))
    case .cancelled: return result(.revoked, .cancelled(message: backend.message), told(backend))
    case .returned: return result(.returned, .returned(on: backend.since), told(backend))
    case .expired: return ended(told(backend), by: end == told(backend) ? .licence : .backend)
    case .ready, .active: break
    }
  }
  /// A licence whose time is over: it may be renewed if the backend links that and time is left.
  func ended(_ end: Timestamp, by origin: LicenceWords.Origin) -> Reconciliation {
    guard let backend, !backend.offers.isDisjoint(with: [.renew, .renewPage]),
      backend.potentialEnd.map({ limit in now.map { limit > $0 } ?? true }) ?? true
    else { return result(.expired, .expired(on: end, by: origin), end) }
    return result(.renewable, .renewable(on: end, until: backend.potentialEnd), end)
  }
  if let start = local.starts, let ends = local.ends, ends < start {
    return result(.expired, .impossible, ends)
  }
  guard let now else { return result(.usable, .clockSuspect(until: end), end) }
  if let end, end <= now { return ended(end, by: .licence) }
  if let start = local.starts, start > now { return result(.pending, .pending(from: start), end) }
  if let period = local.playPeriod, local.played == nil {
    return result(.usable, .notStarted(period: period, until: end), end)
  }
  return result(.usable, end.map { .valid(until: $0) } ?? .unlimited, end)
}
