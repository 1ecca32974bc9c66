import VmxEngine
package import VmxModel

/// The input and output of the actions on one licence.
package struct LicenceContext: MachineContext {
  /// The episode.
  package let id: EpisodeID
  /// The record of its licence, with the changes of the actions.
  package var record: LicenceRecord
  /// The result of the last reconciliation; nil before the first.
  package internal(set) var reconciliation: Reconciliation?
  /// The failure of the call that the user requested. The licence is unchanged.
  package internal(set) var refusal: Failure?
  /// Notes for the user about failed requests.
  package internal(set) var notes: [String] = []
  /// The file of the newer licence document; nil unless this run replaced it.
  package internal(set) var replaced: LicenceFile?

  /// The call that the user requested; nil once it is recorded as pending.
  var requestedCall: PendingCall?
  /// The status document that this process fetched, its base URL, and whether it came from a
  /// private address.
  var status: (document: StatusDocument, base: WebURL?, isFromPrivate: Bool)?
  /// The `updated.license` time for which this process already requested the licence document.
  var updateTried: Timestamp?
  /// The failure to fetch or parse the status document.
  var unread: Failure?
  /// Whether this process has already attempted the registration.
  var hasRegistered = false
  /// The state in which a failed call is retried; nil unless the licence is `waiting`.
  package internal(set) var resumeState: LicenceState?
  let actions: LicenceActions

  init(
    _ id: EpisodeID, record: LicenceRecord, requestedCall: PendingCall?, actions: LicenceActions
  ) {
    self.id = id
    self.record = record
    self.requestedCall = requestedCall
    self.actions = actions
  }

  package var state: LicenceState { record.state }

  package mutating func enter(_ state: LicenceState) {
    record.state = state
    record.code = nil
    record.message = nil
    resumeState = nil
  }

  /// Records the failure. The next `vmx licence refresh` retries the call after it has fetched the
  /// status.
  package mutating func stop(by failure: Failure, at state: LicenceState) {
    record.state = .waiting
    record.code = failure.code
    record.message = failure.summary
    resumeState = state
    reconciliation = record.reconciled(now: actions.now())
  }
}

/// The file of a licence document.
package struct LicenceFile: Sendable, Equatable {
  /// The size.
  package let size: ByteCount
  /// The SHA-256.
  package let sha256: Digest

  /// Creates a description of a file.
  package init(size: ByteCount, sha256: Digest) {
    self.size = size
    self.sha256 = sha256
  }
}

extension Episode {
  /// Records the file that has replaced the one of the key part.
  mutating func replaceKey(by file: LicenceFile) {
    guard let index = parts.firstIndex(where: { $0.role == .key }) else { return }
    (parts[index].size, parts[index].sha256) = (file.size, file.sha256)
  }
}

/// The effects of the actions outside the store.
struct LicenceActions: Sendable {
  /// Sends a request.
  let send: HTTPSending
  /// Returns the time; nil while the clock is unreliable.
  let now: @Sendable () -> Timestamp?
  /// The clock for times that are recorded but not used to judge rights.
  let clock: any WallClock
  /// Returns the id of this device for a provider.
  let device: @Sendable (String) throws -> String
  /// The name of this device.
  let deviceName: String
  /// The URIs of rights that limit the time after the first play.
  let periods: [String]
  /// Replaces the licence file of an episode durably.
  let replace: @Sendable (EpisodeID, [UInt8]) throws -> LicenceFile
}
