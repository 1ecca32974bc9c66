/// The local state of a licence; the raw value is stored.
///
/// It is independent of `PartState`. The backend's status is a third value; only `reconcile` of
/// VmxLicence derives this state from it.
package enum LicenceState: String, Sendable, CaseIterable {
  /// The status document is to be requested.
  case checking
  /// The backend has a newer licence document, which is to be fetched.
  case updating
  /// The first play is to be reported to the backend.
  case registering
  /// A later end is to be requested.
  case renewing
  /// The licence is being returned.
  case returning
  /// The rights are to be derived from all known facts.
  case settling
  /// The rights begin later.
  case pending
  /// The rights are valid.
  case usable
  /// The rights have ended, and the backend offers to renew the licence.
  case renewable
  /// The rights have ended.
  case expired
  /// The licence was returned.
  case returned
  /// The provider has withdrawn it.
  case revoked
  /// A call to the backend failed and will be retried later.
  case waiting

  /// Whether no state machine leaves the state. Only an event does: a time, a command or another
  /// response.
  package var awaitsEvent: Bool {
    switch self {
    case .checking, .updating, .registering, .renewing, .returning, .settling: false
    default: true
    }
  }
}

/// The rights of an episode by its licence that all tools obey; the record of kind `licence` has
/// the other fields. Their end is `Episode.expires`.
package struct EpisodeLicence: Sendable, Equatable {
  /// The last resting state.
  package var state: LicenceState
  /// The time from which the episode may be watched; nil for any time.
  package var starts: Timestamp?
  /// Whether the provider's clock differed by more than an hour from the local clock in its last
  /// response. Then nothing is removed because of its end.
  package var isClockContradicted: Bool

  /// Creates the rights of an episode.
  package init(
    state: LicenceState, starts: Timestamp? = nil, isClockContradicted: Bool = false
  ) {
    self.state = state
    self.starts = starts
    self.isClockContradicted = isClockContradicted
  }

  /// Returns the time from which the episode may be watched, if it is after `now`.
  package func opening(after now: Timestamp) -> Timestamp? {
    starts.flatMap { $0 > now ? $0 : nil }
  }

  /// The reason that is recorded when the episode is removed after its end.
  package var removalReason: EpisodeRemoval.Reason {
    switch state {
    case .revoked: .revoked
    case .returned: .returned
    default: .expired
    }
  }
}

extension LicenceState: FieldValue {}

extension EpisodeLicence: FieldRecord {
  /// The fields of the rights in the store and in JSON.
  package enum Field: String, RecordField {
    case state, starts
    case clockContradicted = "clock_contradicted"
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: EpisodeLicence { EpisodeLicence(state: .usable) }
  /// Always empty: unknown fields are dropped, because the next licence check writes all fields.
  package var extra: JSONObject {
    get { JSONObject() }
    set {}
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .state:
      // A state of a later version counts as usable: only the end time and the backend cause a
      // removal.
      var name = state.rawValue
      try coder.field(&name, absent: LicenceState.usable.rawValue)
      state = LicenceState(rawValue: name) ?? .usable
    case .starts: try coder.field(&starts)
    case .clockContradicted: try coder.field(&isClockContradicted, omitting: false)
    }
  }
}

extension EpisodeSummary {
  /// The time at which the files of the episode are due to be removed; nil for never.
  ///
  /// An episode without a licence is removed when it may no longer be watched, unless it is marked
  /// to be kept. An episode with a licence is removed by its rights alone: after the grace time, or
  /// at once if the user returned the licence.
  ///
  /// - Parameter grace: the setting `licence.grace` in milliseconds.
  package func removalTime(grace: Int64) -> Timestamp? {
    guard let licence else { return isKept ? nil : expires }
    if licence.state == .returned { return expires }
    return licence.isClockContradicted ? nil : expires?.adding(milliseconds: grace)
  }
}
