package import VmxModel

/// The fields of an outcome in listings.
package enum OutcomeField: String, ListingField {
  case id, outcome, state, code, message, until, size, title

  package static let defaultFields: [OutcomeField] = [.id, .outcome, .state, .code, .size, .title]

  package var column: Column {
    switch self {
    case .title, .message: Column(heading, .left, .end)
    case .size: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// The result of one command for one episode, as a row of output.
package struct OutcomeRow: ListingRow {
  /// The episode's id, or the operand from which it was derived; redacted.
  package let id: String
  private let stage: String
  private let result: OperationResult
  private let episode: EpisodeRow?
  private let received: JSONObject

  /// Creates the row of a result.
  ///
  /// - Parameters:
  ///   - id: the episode's id, or the operand from which it was derived; shown redacted.
  ///   - stage: the command's name without `vmx-`.
  ///   - episode: the episode as it is now; nil if there is none.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ id: String, stage: String, _ result: OperationResult, episode: EpisodeRow?,
    received: JSONObject = JSONObject()
  ) {
    self.id = URLRedaction.redacted(operand: id)
    self.stage = stage
    self.result = result.mapFailure { $0.about(id) }.redacting(id)
    self.episode = episode
    self.received = received
  }

  package func cell(_ field: OutcomeField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(result.name, result.style)
    case .state: episode?.cell(.state) ?? Cell("")
    case .size: episode?.cell(.size) ?? Cell("")
    case .until: episode?.cell(.until) ?? Cell("")
    case .message: Cell(TimeText.localised(exact(.message), in: SystemZone()))
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: OutcomeField) -> String {
    switch field {
    case .id: id
    case .outcome: result.name
    case .state: episode?.exact(.state) ?? ""
    case .code: result.failure?.code.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    case .until: episode?.exact(.until) ?? ""
    case .size: episode?.exact(.size) ?? ""
    case .title: episode?.exact(.title) ?? ""
    }
  }

  package func record(_ fields: [OutcomeField]?) -> JSONObject {
    var object =
      episode?.record(nil) ?? EpisodeJSON.head(id, else: stage == "feed" ? .feed : .operand)
    for field in received.without(EpisodeJSON.known).fields {
      object.append(field.key, field.key == "url" ? Self.withoutUserInfo(field.value) : field.value)
    }
    result.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, size or code, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail = result.failure == nil ? cell(.size).text : exact(.code)
    return Self.line(cell(.outcome), width: 9, [id, detail, exact(.title)], terminal)
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
}

/// The path of one file of an episode, as a row of JSON output.
package struct PathRow: Sendable {
  private let id: EpisodeID
  private let part: String
  private let path: String
  private let received: JSONObject

  /// Creates the row of a file.
  ///
  /// - Parameters:
  ///   - part: the part as the user named it.
  ///   - path: the absolute path.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(id: EpisodeID, part: String, path: String, received: JSONObject) {
    self.id = id
    self.part = part
    self.path = path
    self.received = received
  }

  /// Returns the record, with the name of the tool as its stage.
  package func record(stage: String) -> JSONObject {
    var object = EpisodeJSON.head(id.description)
    object.append("part", part)
    object.append("path", path)
    let known = EpisodeJSON.known.union(["part"])
    for field in received.without(known).fields { object.append(field.key, field.value) }
    OperationResult.done.append(to: &object, stage: stage)
    return object
  }
}
