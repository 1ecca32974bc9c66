import VmxEngine
package import VmxModel

/// The input and output of the actions on one licence.
package struct LicenceContext: MachineContext {
  /// The episode.
  package let id: EpisodeID
  /// The record of its licence, with the changes of the actions.
  package var record: LicenceRecord
  /// The meaning of the record, once it was derived.
  package internal(set) var meaning: Reconciliation?
  /// The failure of what was asked for, which leaves the licence as it was.
  package internal(set) var refusal: Failure?
  /// Notes for the user: what could not be learnt.
  package internal(set) var notes: [String] = []
  /// The newer licence document, once its file was replaced.
  package internal(set) var replaced: LicenceFile?

  /// The call that the user asked for, until it is recorded.
  var wish: PendingCall?
  /// The status document that this process has read, and where it came from.
  var status: (document: StatusDocument, base: WebURL?, isFromPrivate: Bool)?
  /// The `updated.license` for which the licence document was already asked.
  var updateTried: Timestamp?
  /// The failure for which the status document could not be read.
  var unread: Failure?
  /// Whether the registration was already asked for by this process.
  var hasRegistered = false
  /// The state at which a call is repeated later; nil unless it waits.
  package internal(set) var resumeState: LicenceState?
  let actions: LicenceActions

  init(_ id: EpisodeID, _ record: LicenceRecord, wish: PendingCall?, _ actions: LicenceActions) {
    self.id = id
    self.record = record
    self.wish = wish
    self.actions = actions
  }

  package var state: LicenceState { record.state }

  package mutating func enter(_ state: LicenceState) {
    record.state = state
    record.code = nil
    record.message = nil
    resumeState = nil
  }

  /// A call that fails is repeated later: by `vmx licence refresh`, which asks for the status first.
  package mutating func stop(by failure: Failure, at state: LicenceState) {
    record.state = .waiting
    record.code = failure.code
    record.message = failure.summary
    resumeState = state
    meaning = record.reconciled(now: actions.now())
  }
}

/// The file of a licence document.
package struct LicenceFile: Sendable, Equatable {
  /// Its size.
  package let size: ByteCount
  /// Its SHA-256.
  package let sha256: Digest

  /// Creates the facts of a file.
  package init(size: ByteCount, sha256: Digest) {
    self.size = size
    self.sha256 = sha256
  }
}

/// The effects that the actions have beyond the store.
struct LicenceActions: Sendable {
  /// Sends a request.
  let send: ServiceSending
  /// Returns the time; nil while the clock is suspect.
  let now: @Sendable () -> Timestamp?
  /// The clock, for times that are only recorded.
  let clock: any WallClock
  /// Returns the id of this device for a provider.
  let device: @Sendable (String) throws -> String
  /// The name of this device.
  let deviceName: String
  /// The URIs of rights that give a time from the first play on.
  let periods: [String]
  /// Replaces the file of the licence, durably.
  let replace: @Sendable (EpisodeID, [UInt8]) throws -> LicenceFile
}
