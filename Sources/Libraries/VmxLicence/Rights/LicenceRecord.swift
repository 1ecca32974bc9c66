package import VmxModel
package import VmxStore

/// The record of an episode's licence in the store (kind `licence`): the local facts, the last
/// status of the backend, and the state of the remote axis.
package struct LicenceRecord: Sendable, Equatable {
  /// The state of the remote axis.
  package var state: LicenceState = .checking
  /// The failure for which a call waits, as reported when the call failed.
  package var code: ErrorCode?
  /// The summary of that failure, without secrets.
  package var message: String?
  /// The local facts.
  package var local: LocalLicence
  /// The backend's last status; nil if it was never read.
  package var backend: BackendView?
  /// The address of the status document; nil for a licence without a status document.
  package var statusURL: String?
  /// Whether that address may lead into a private network, because the licence came from there or
  /// from a file that the user named.
  package var allowsPrivateAddresses = false
  /// The time at which the backend's status was last read.
  package var seen: Timestamp?
  /// Whether the backend's clock differed from the local clock by more than an hour then.
  package var isClockContradicted = false

  /// Creates the record of a licence that was never used.
  package init(_ document: LicenceDocument, periods: [String] = []) {
    local = LocalLicence(document, periods: periods)
    statusURL = Self.statusURL(of: document)
  }

  /// Applies a newer document of the same licence.
  ///
  /// - Throws: `licence-foreign` for another licence, or for a document older than the present one.
  package mutating func apply(
    _ document: LicenceDocument, periods: [String] = []
  ) throws(Failure) {
    guard document.id == local.id, document.provider == local.provider else {
      throw Failure(.licenceForeign, "the document is of another licence")
    }
    guard document.changed >= local.changed else {
      throw Failure(.licenceForeign, "the document is older than the stored licence")
    }
    local.replaceRights(document, periods: periods)
    statusURL = Self.statusURL(of: document)
  }

  private static func statusURL(of document: LicenceDocument) -> String? {
    document.status?.address(base: nil)?.text
  }

  /// Derives the state and meaning of the licence.
  ///
  /// - Parameter now: nil while the clock is unreliable.
  package func reconciled(now: Timestamp?) -> Reconciliation {
    reconcile(local, backend, now: isClockContradicted ? nil : now)
  }

  /// Returns the rights in the form that the episode record stores.
  package func mark(_ meaning: Reconciliation) -> EpisodeLicence {
    EpisodeLicence(
      state: meaning.state, starts: local.starts, isClockContradicted: isClockContradicted)
  }
}

extension LicenceRecord: LenientRecord {
  /// The fields of the record, the local facts among them.
  package enum Field: String, RecordField {
    case state, code, message, licence, provider, changed, starts, ends
    case playPeriod = "play_period_ms"
    case played, registered, call, backend
    case statusURL = "status_url"
    case isPrivate = "private"
    case seen
    case clockContradicted = "clock_contradicted"
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: LicenceRecord { LicenceRecord(LocalLicence()) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .state: try coder.field(&state, absent: .checking)
    case .code:
      var name = code?.rawValue
      try coder.field(&name)
      code = name.flatMap(ErrorCode.init)
    case .message: try coder.field(&message)
    case .licence: try coder.required(&local.id)
    case .provider: try coder.required(&local.provider)
    case .changed: try coder.required(&local.changed)
    case .starts: try coder.field(&local.starts)
    case .ends: try coder.field(&local.ends)
    case .playPeriod: try coder.field(&local.playPeriod)
    case .played: try coder.field(&local.played)
    case .registered: try coder.field(&local.registered)
    case .call: try coder.field(&local.call)
    case .backend: try coder.field(&backend)
    case .statusURL: try coder.field(&statusURL)
    case .isPrivate: try coder.field(&allowsPrivateAddresses, omitting: false)
    case .seen: try coder.field(&seen)
    case .clockContradicted: try coder.field(&isClockContradicted, omitting: false)
    }
  }

  private init(_ local: LocalLicence) { self.local = local }

  /// Decodes a record. Returns nil for a malformed record; the licence document is then read again.
  package init?(_ record: StoredRecord?) {
    guard let record else { return nil }
    self.init(reading: record.fields)
  }

  /// Returns the record for the store.
  package func stored(of id: EpisodeID) -> StoredRecord {
    StoredRecord(kind: .licence, id: id.description, fields: record)
  }
}

extension StoreSnapshot {
  /// Returns the licence of an episode; nil if it has none.
  package func licence(of id: EpisodeID) -> LicenceRecord? {
    LicenceRecord(record(.licence, id.description))
  }
}

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
