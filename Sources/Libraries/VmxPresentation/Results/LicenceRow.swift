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
  package static let recorded =
    [.title] + allCases.filter { ![.id, .outcome, .code, .title].contains($0) }

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .outcome: .outcome
    case .state: FieldKey(.word, "The state of the licence, as in vmx-states(7)")
    case .text: FieldKey(.text, "The state in words, with the relevant time", .end)
    case .starts: FieldKey(.time, "The start of the right to play it")
    case .expires:
      FieldKey(.time, "The end of the right to play it; absent if there is none")
    case .remaining: FieldKey(.milliseconds, "The time until that end; 0 after it")
    case .playPeriod:
      FieldKey(.milliseconds, "The playing period, which begins with the first play")
    case .played: FieldKey(.time, "The time of the first play on this device")
    case .registered:
      FieldKey(.time, "The time when this device was registered with the provider")
    case .licence: FieldKey(.text, "The id of the licence")
    case .provider: FieldKey(.text, "The URI of the provider")
    case .status: FieldKey(.word, "The provider's status, as last read")
    case .message: FieldKey(.text, "The provider's message", .end)
    case .seen: FieldKey(.time, "The time when the status was last read; absent if never")
    case .offers: FieldKey(.list, "The provider's offers: register, renew, renew-page, return")
    case .potentialEnd: FieldKey(.time, "The latest end that a renewal can reach")
    case .page: FieldKey(.text, "The URL of a page on which the user can renew it")
    case .pending: FieldKey(.word, "The pending call: renew or return")
    case .title: FieldKey(.text, "The title of the episode", .end)
    case .code: .errorCode
    }
  }
}

/// The licence of an episode, as a row of output.
package struct LicenceRow: ResultRow {
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
  package let result: OperationResult?
  package let stage: String
  private let now: Timestamp
  package let received: JSONObject

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

  package func value(_ field: LicenceField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .state: .word(facts?.state.rawValue, style)
    case .text:
      .text(facts?.exactReason).shown(Cell(facts?.reason ?? result?.failure?.summary ?? ""))
    case .starts: .time(facts?.starts)
    case .expires: .time(facts?.expires)
    case .remaining: .duration(remaining).shown(Cell(remainingText))
    case .playPeriod:
      .duration(facts?.playPeriod).shown(
        Cell(facts?.playPeriod.map { DurationText.text(of: $0) } ?? ""))
    case .played: .time(facts?.played)
    case .registered: .time(facts?.registered)
    case .licence: .text(facts?.licence)
    case .provider: .text(facts?.provider)
    case .status: .word(facts?.status)
    case .message: .text(facts?.message)
    case .seen: .time(facts?.seen)
    case .offers: .list(facts?.offers)
    case .potentialEnd: .time(facts?.potentialEnd)
    case .page: .text(facts?.page)
    case .pending: .word(facts?.pending)
    case .title: .text(title)
    case .code: errorCode
    }
  }

  private var remainingText: String {
    guard let remaining else { return facts == nil ? "" : "no end" }
    return remaining == 0 ? "over" : TimeText.duration(milliseconds: remaining)
  }

  private var style: TextStyle {
    switch facts?.state {
    case .usable: .success
    case .expired, .returned, .revoked: .failure
    case .pending, .renewable, .waiting: .warning
    default: .plain
    }
  }

  /// Formats one line: result, id, the state as text.
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, [id, cell(.text).text], terminal)
  }
}
