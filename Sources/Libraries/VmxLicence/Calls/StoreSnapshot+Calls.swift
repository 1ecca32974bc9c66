package import VmxModel
package import VmxStore

/// A recorded call to a licence provider without a response yet.
package struct PendingLicenceCall: Sendable, Equatable {
  /// The episode.
  package let id: EpisodeID
  /// The name of the call: `register`, `renew` or `return`.
  package let name: String
}

extension StoreSnapshot {
  /// Returns the pending calls to licence providers, in the order in which the licences were first
  /// recorded.
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
  /// The name of the pending call; nil if there is none.
  fileprivate var pendingCall: String? {
    if let call = local.call { return call.kind.rawValue }
    let isUnregistered = local.played != nil && local.registered == nil && statusURL != nil
    return isUnregistered && state == .waiting ? "register" : nil
  }
}
