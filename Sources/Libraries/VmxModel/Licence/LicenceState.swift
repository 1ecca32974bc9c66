/// The state of a licence as vmx sees it; the raw value is stored.
///
/// It is an axis of its own beside `PartState`: the backend's status is a third value, and
/// `reconcile` of VmxLicence alone derives this state from it.
package enum LicenceState: String, Sendable, CaseIterable {
  /// The status document is to be read.
  case checking
  /// The backend has a newer licence document, which is to be fetched.
  case updating
  /// The first play is to be told to the backend.
  case registering
  /// A later end is asked for.
  case renewing
  /// The licence is given back.
  case returning
  /// Its rights are to be derived from all that is known.
  case settling
  /// Its rights begin later.
  case pending
  /// Its rights hold.
  case usable
  /// Its time is over, and the backend offers to renew it.
  case renewable
  /// Its time is over.
  case expired
  /// It was given back.
  case returned
  /// The provider has withdrawn it.
  case revoked
  /// A call to the backend failed and is repeated later.
  case waiting

  /// Whether no machine leaves the state, only an event: a time, a command or another answer.
  package var isResting: Bool {
    switch self {
    case .checking, .updating, .registering, .renewing, .returning, .settling: false
    default: true
    }
  }
}

/// The rights of an episode by its licence, as far as all tools heed them; the record of kind
/// `licence` has the rest. Their end is `Episode.expires`.
package struct EpisodeLicence: Sendable, Equatable {
  /// The last resting state.
  package var state: LicenceState
  /// The time from which the episode may be watched; nil for any time.
  package var starts: Timestamp?
  /// Whether the provider's clock was more than an hour from ours at its last answer: then nothing is
  /// removed by time.
  package var isClockContradicted: Bool

  /// Creates the rights of an episode.
  package init(
    state: LicenceState, starts: Timestamp? = nil, isClockContradicted: Bool = false
  ) {
    self.state = state
    self.starts = starts
    self.isClockContradicted = isClockContradicted
  }

  /// The time from which the episode may be watched, if that is still to come.
  package func opening(after now: Timestamp) -> Timestamp? {
    starts.flatMap { $0 > now ? $0 : nil }
  }

  /// The reason for which the episode is removed after its end.
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
  /// Unknown fields are not kept: the next look at the licence writes all of them.
  package var extra: JSONObject {
    get { JSONObject() }
    set {}
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .state:
      // A state of a later version counts as usable: only the end and the backend remove.
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
  /// An episode without a licence leaves when it may no longer be watched, unless it is marked to be
  /// kept. One with a licence leaves by its rights alone: after the grace time, or at once where the
  /// user gave it back.
  ///
  /// - Parameter grace: the setting `licence.grace` in milliseconds.
  package func removalTime(grace: Int64) -> Timestamp? {
    guard let licence else { return isKept ? nil : expires }
    if licence.state == .returned { return expires }
    return licence.isClockContradicted ? nil : expires?.adding(milliseconds: grace)
  }
}
