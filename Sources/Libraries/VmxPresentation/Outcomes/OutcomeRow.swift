package import VmxModel

/// The fields of an outcome in listings.
package enum OutcomeField: String, ListingField {
  case id, outcome, state, code, message, until, size, title

  package static let usual: [OutcomeField] = [.id, .outcome, .state, .code, .size, .title]

  package var column: Column {
    switch self {
    case .title, .message: Column(rawValue.uppercased(), isFlexible: true)
    case .size: Column("SIZE", .right)
    default: Column(rawValue.uppercased())
    }
  }
}

/// The outcome of one command for one episode, as a row of output.
package struct OutcomeRow: ListingRow {
  private let id: String
  private let stage: String
  private let outcome: Outcome
  private let episode: EpisodeRow?
  private let received: JSONObject

  /// Creates the row of an outcome.
  ///
  /// - Parameters:
  ///   - id: the episode's id, or the operand given for it; shown redacted.
  ///   - stage: the command's name without `vmx-`.
  ///   - episode: the episode as it is now; nil if there is none.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ id: String, stage: String, _ outcome: Outcome, episode: EpisodeRow?,
    received: JSONObject = JSONObject()
  ) {
    self.id = URLRedaction.redacted(operand: id)
    self.stage = stage
    self.outcome = outcome.redacting(id)
    self.episode = episode
    self.received = received
  }

  package func cell(_ field: OutcomeField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(outcome.name, tone)
    case .state: episode?.cell(.state) ?? Cell("")
    case .size: episode?.cell(.size) ?? Cell("")
    case .until: episode?.cell(.until) ?? Cell("")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: OutcomeField) -> String {
    switch field {
    case .id: id
    case .outcome: outcome.name
    case .state: episode?.exact(.state) ?? ""
    case .code: outcome.failure?.code.rawValue ?? ""
    case .message: outcome.failure?.summary ?? ""
    case .until: episode?.exact(.until) ?? ""
    case .size: episode?.exact(.size) ?? ""
    case .title: episode?.exact(.title) ?? ""
    }
  }

  package func record(_ fields: [OutcomeField]?) -> JSONObject {
    var object = episode?.record(nil) ?? EpisodeJSON.head(id)
    for field in received.without(EpisodeJSON.known).fields {
      object.append(field.key, field.key == "url" ? Self.withoutUserInfo(field.value) : field.value)
    }
    object.append("stage", stage)
    object.append("outcome", outcome.name)
    if case .unchanged(let hint) = outcome { object.append("hint", hint) }
    object.append("error", outcome.failure.map { .object(FailureText.record(of: $0)) })
    guard let fields else { return object }
    let wanted = Set(fields.map(\.rawValue)).union(["schema", "id"])
    return JSONObject(distinct: object.fields.filter { wanted.contains($0.key) })
  }

  /// Formats one line of text, printed as soon as the outcome is known: outcome, id, size, title.
  package func line(_ terminal: TerminalFacts) -> String {
    let word = DisplayWidth.padded(outcome.name, to: 9)
    let size = cell(.size).text
    let details = [id, outcome.failure == nil ? size : exact(.code), exact(.title)]
    let rest = details.filter { !$0.isEmpty }.joined(separator: "  ")
    let text = DisplayWidth.cut(TerminalText.escaped(rest), to: max(20, terminal.width - 11))
    return "\(terminal.palette.paint(word, tone))  \(text)\n"
  }

  /// Returns a received `url` without user name and password, which only the secrets file may
  /// contain.
  private static func withoutUserInfo(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value }
    do throws(Failure) {
      return .string(try WebURL(text).text)
    } catch {
      return .string(URLRedaction.redacted(text))
    }
  }

  private var tone: Tone {
    switch outcome {
    case .done: .good
    case .unchanged: .plain
    case .waiting: .held
    case .failed: .bad
    }
  }
}
