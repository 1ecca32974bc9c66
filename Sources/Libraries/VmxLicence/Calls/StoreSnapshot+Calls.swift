package import VmxModel
package import VmxStore

/// A call to a licence provider that was recorded and has not been answered.
package struct PendingLicenceCall: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The name of the call: `register`, `renew` or `return`.
  package let name: String
}

extension StoreSnapshot {
  /// Returns the calls to licence providers that are still to be made, in the order in which the
  /// licences were first recorded.
  package func pendingLicenceCalls() -> [PendingLicenceCall] {
    var calls: [PendingLicenceCall] = []
    records(of: .licence) { record in
      guard let licence = LicenceRecord(record), let name = licence.pendingCall,
        let id = EpisodeID(valid: record.id)
      else { return true }
      calls.append(PendingLicenceCall(id: id, name: name))
      return true
    }
    return calls
  }
}

extension LicenceRecord {
  /// The name of the call that is still to be made; nil for none.
  fileprivate var pendingCall: String? {
    if let call = local.call { return call.kind.rawValue }
    let isUnregistered = local.played != nil && local.registered == nil && statusURL != nil
    return isUnregistered && state == .waiting ? "register" : nil
  }
}
