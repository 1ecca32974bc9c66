/// The last removal of an episode: by which tool, when and why.
///
/// A new request for the episode clears it.
package struct EpisodeRemoval: Sendable, Equatable {
  /// The reason for a removal; the raw value is stored.
  package enum Reason: String, Sendable, CaseIterable {
    /// The user removed it; no feed and no row adds it again.
    case byHand = "by-hand"
    /// It was watched.
    case watched
    /// It may no longer be watched.
    case expired
    /// The provider has withdrawn its licence.
    case revoked
    /// The user returned its licence.
    case returned
    /// Its space was needed.
    case space
    /// Another rule of `vmx clean` selected it, by age or by number.
    case rule
    /// A backend ordered it (`report.orders`).
    case backend

    /// Whether the files bypass the trash, because no right to them is left.
    package var isPermanent: Bool { [.expired, .revoked, .returned].contains(self) }

    /// The want after a removal for this reason.
    package var want: Want { self == .byHand || self == .returned ? .gone : .none }
  }

  /// The time of the removal.
  package var at: Timestamp
  /// The tool that removed it, such as `rm`.
  package var tool: String
  /// The reason.
  package var reason: Reason

  /// Creates the removal by a tool.
  package init(at: Timestamp, tool: String, reason: Reason) {
    self.at = at
    self.tool = tool
    self.reason = reason
  }

  /// Returns the removal as one phrase, such as `removed by hand on 2026-11-01`.
  ///
  /// - Parameter zone: the time zone of the day; nil for the time as RFC 3339 in UTC.
  package func phrase(in zone: (any LocalZone)? = nil) -> String {
    let words =
      switch reason {
      case .byHand: "removed by the user"
      case .watched: "removed as watched"
      case .expired: "removed as expired"
      case .revoked: "removed because its licence was withdrawn"
      case .returned: "removed because its licence was returned"
      case .space: "removed to free space"
      case .rule: "removed by a rule of 'vmx clean'"
      case .backend: "removed by an order of the backend"
      }
    return "\(words) on \(zone?.day(of: at) ?? at.text)"
  }
}

extension EpisodeRemoval: FieldRecord {
  /// The fields of a removal in the store and in JSON.
  package enum Field: String, RecordField {
    case at
    case tool = "by"
    case reason
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: EpisodeRemoval {
    EpisodeRemoval(at: Timestamp(seconds: 0), tool: "", reason: .rule)
  }
  /// Always empty: unknown fields are dropped, because a removal is only a history.
  package var extra: JSONObject {
    get { JSONObject() }
    set {}
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .at: try coder.field(&at, absent: Timestamp(seconds: 0))
    case .tool: try coder.field(&tool, absent: "")
    case .reason:
      // A reason of a later version is read as `rule`.
      var name = reason.rawValue
      try coder.field(&name, absent: Reason.rule.rawValue)
      reason = Reason(rawValue: name) ?? .rule
    }
  }
}
