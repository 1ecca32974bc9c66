import VmxCommand
import VmxModel
import VmxPresentation

/// The licence of an episode, as a row of output.
struct LicenceRow: ResultRow {
  /// The facts that a row shows.
  struct Facts: Sendable, Equatable {
    /// The state.
    var state: LicenceState
    /// The reason for the state, as text for the user with local times.
    var reason: String
    /// The same text with times in UTC, for other programs.
    var exactReason: String
    /// The start of the rights.
    var starts: Timestamp?
    /// The end of the rights.
    var expires: Timestamp?
    /// The duration of the rights after the first playback, in milliseconds.
    var playPeriod: Int64?
    /// The time of the first playback.
    var played: Timestamp?
    /// The time since which this device is registered with the provider.
    var registered: Timestamp?
    /// The id of the licence.
    var licence: String
    /// The URI of the provider.
    var provider: String
    /// The provider's status.
    var status: String?
    /// The provider's message.
    var message: String?
    /// The time of the last reading of the status.
    var seen: Timestamp?
    /// The operations that the provider offers.
    var offers: [String]
    /// The latest end of the rights that a renewal can reach.
    var potentialEnd: Timestamp?
    /// The web page on which a person can renew the licence.
    var page: String?
    /// The operation that is still pending.
    var pending: String?

    /// Creates the facts of a licence of which only the ids are known.
    init(
      _ state: LicenceState, reason: String, exactReason: String, licence: String, provider: String
    ) {
      self.state = state
      self.reason = reason
      self.exactReason = exactReason
      self.licence = licence
      self.provider = provider
      offers = []
    }
  }

  let id: String
  private let title: String
  private let facts: Facts?
  let result: OperationResult?
  let stage: String
  private let now: Timestamp
  let received: JSONObject

  /// Creates the row of a licence.
  ///
  /// - Parameters:
  ///   - facts: the facts of the licence; nil for an episode whose licence cannot be determined.
  ///   - result: the result of an operation; nil in a list.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  init(
    _ id: EpisodeID, title: String, facts: Facts?, result: OperationResult?, received: JSONObject,
    in context: CommandContext
  ) {
    self.id = id.description
    self.title = title
    self.facts = facts
    self.result = result
    stage = context.stage
    now = context.clock.now
    self.received = received
  }

  /// The time until the end of the rights in milliseconds; nil if they do not end.
  private var remaining: Int64? {
    facts?.expires.map { max(0, $0.milliseconds - now.milliseconds) }
  }

  func value(_ field: LicenceField) -> RowValue {
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
  func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, texts: [id, cell(.text).text], on: terminal)
  }
}
