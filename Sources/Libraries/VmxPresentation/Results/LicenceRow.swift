package import VmxModel

/// The fields of a licence in listings.
package enum LicenceField: String, ListingField {
  case id, outcome, state, text, starts, expires
  case remaining = "left_ms"
  case playPeriod = "play_period_ms"
  case played, registered
  case licence = "licence_id"
  case provider, status, message, seen, offers
  case potentialEnd = "potential_end"
  case page, pending, title, code

  package static let defaultFields: [LicenceField] = [.id, .state, .remaining, .offers, .text]

  package var column: Column {
    switch self {
    case .title, .message, .text: Column(heading, .left, .end)
    case .remaining, .playPeriod: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// The licence of an episode, as a row of output.
package struct LicenceRow: ListingRow {
  /// The facts that a row shows.
  package struct Facts: Sendable, Equatable {
    /// The state.
    package var state: LicenceState
    /// The reason for the state, as text for the user with local times.
    package var reason: String
    /// The same text with times in UTC, for other programs.
    package var exactReason: String
    /// The start of the rights.
    package var starts: Timestamp?
    /// The end of the rights.
    package var expires: Timestamp?
    /// The duration of the rights after the first playback, in milliseconds.
    package var playPeriod: Int64?
    /// The time of the first playback.
    package var played: Timestamp?
    /// The time since which this device is registered with the provider.
    package var registered: Timestamp?
    /// The id of the licence.
    package var licence: String
    /// The URI of the provider.
    package var provider: String
    /// The provider's status.
    package var status: String?
    /// The provider's message.
    package var message: String?
    /// The time of the last reading of the status.
    package var seen: Timestamp?
    /// The operations that the provider offers.
    package var offers: [String]
    /// The latest end of the rights that a renewal can reach.
    package var potentialEnd: Timestamp?
    /// The web page on which a person can renew the licence.
    package var page: String?
    /// The operation that is still pending.
    package var pending: String?

    /// Creates the facts of a licence of which only the ids are known.
    package init(
      _ state: LicenceState, words: String, exactWords: String, licence: String, provider: String
    ) {
      self.state = state
      self.reason = words
      self.exactReason = exactWords
      self.licence = licence
      self.provider = provider
      offers = []
    }
  }

  package let id: String
  private let title: String
  private let facts: Facts?
  private let result: OperationResult?
  private let stage: String
  private let now: Timestamp
  private let received: JSONObject

  /// Creates the row of a licence.
  ///
  /// - Parameters:
  ///   - facts: the facts of the licence; nil for an episode whose licence cannot be determined.
  ///   - result: the result of an operation; nil in a list.
  ///   - stage: the name of the command.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ id: EpisodeID, title: String, _ facts: Facts?, _ result: OperationResult?, stage: String,
    now: Timestamp, received: JSONObject = JSONObject()
  ) {
    self.id = id.description
    self.title = title
    self.facts = facts
    self.result = result
    self.stage = stage
    self.now = now
    self.received = received
  }

  /// The time until the end of the rights in milliseconds; nil if they do not end.
  private var remaining: Int64? {
    facts?.expires.map { max(0, $0.milliseconds - now.milliseconds) }
  }

  package func cell(_ field: LicenceField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(result?.name ?? "", result?.style ?? .plain)
    case .state: Cell(exact(.state), style)
    case .text: Cell(facts?.reason ?? result?.failure?.summary ?? "")
    case .remaining:
      Cell(
        remaining.map { $0 == 0 ? "over" : TimeText.duration(milliseconds: $0) }
          ?? (facts == nil ? "" : "no end"))
    case .playPeriod: Cell(facts?.playPeriod.map { DurationText.text(of: $0) } ?? "")
    default: Cell(exact(field))
    }
  }

  private var style: TextStyle {
    switch facts?.state {
    case .usable: .success
    case .expired, .returned, .revoked: .failure
    case .pending, .renewable, .waiting: .warning
    default: .plain
    }
  }

  package func exact(_ field: LicenceField) -> String {
    switch field {
    case .id: id
    case .outcome: result?.name ?? ""
    case .code: result?.failure?.code.rawValue ?? ""
    case .title: title
    default: json(field)?.cellText ?? ""
    }
  }

  package func json(_ field: LicenceField) -> JSONValue? {
    guard let facts else { return nil }
    func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
    return switch field {
    case .state: .string(facts.state.rawValue)
    case .text: .string(facts.exactReason)
    case .starts: text(facts.starts?.text)
    case .expires: text(facts.expires?.text)
    case .remaining: remaining.map { .integer($0) }
    case .playPeriod: facts.playPeriod.map { .integer($0) }
    case .played: text(facts.played?.text)
    case .registered: text(facts.registered?.text)
    case .licence: .string(facts.licence)
    case .provider: .string(facts.provider)
    case .status: text(facts.status)
    case .message: text(facts.message)
    case .seen: text(facts.seen?.text)
    case .offers: .array(facts.offers.map { .string($0) })
    case .potentialEnd: text(facts.potentialEnd?.text)
    case .page: text(facts.page)
    case .pending: text(facts.pending)
    case .title: .string(title)
    case .id, .outcome, .code: nil
    }
  }

  package func record(_ fields: [LicenceField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    object.append("title", title)
    for field in LicenceField.allCases where ![.id, .outcome, .code, .title].contains(field) {
      object.append(field.rawValue, json(field))
    }
    let known = EpisodeJSON.known.union(LicenceField.allCases.map(\.rawValue))
    for field in received.without(known).fields { object.append(field.key, field.value) }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, the state as text.
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, [id, cell(.text).text], terminal)
  }
}

extension JSONValue {
  /// The value as the text of a cell; the elements of a list are joined by commas.
  fileprivate var cellText: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .array(let values): values.compactMap(\.string).joined(separator: ",")
    default: ""
    }
  }
}
