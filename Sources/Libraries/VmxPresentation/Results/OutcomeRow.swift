package import VmxModel

/// The fields of an outcome in listings.
package enum OutcomeField: String, ListingField {
  case id, outcome, state, code, message, until, size, title

  package static let defaultFields: [OutcomeField] = [.id, .outcome, .state, .code, .size, .title]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .outcome: .outcome
    case .state: FieldKey(.word, "The state, as in vmx-states(7)")
    case .code: .errorCode
    case .message: .errorMessage
    case .until: FieldKey(.time, "The time when it resumes automatically")
    case .size: FieldKey(.bytes, "The size of the video")
    case .title: FieldKey(.text, "The title", fitting: .end)
    }
  }
}

/// The result of one command for one episode, as a row of output.
package struct OutcomeRow: ResultRow {
  /// The episode's id, or the operand from which it was derived; redacted.
  package let id: String
  package let stage: String
  package let result: OperationResult?
  private let episode: EpisodeRow?
  package let received: JSONObject

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

  package func value(_ field: OutcomeField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .state: episode?.value(.state) ?? .none
    case .code: errorCode
    case .message:
      errorMessage.shown(
        Cell(TimeText.localised(errorMessage.exact, in: SystemZone())))
    case .until: episode?.value(.until) ?? .none
    case .size: episode?.value(.size) ?? .none
    case .title: episode?.value(.title) ?? .none
    }
  }

  package func record(_ fields: [OutcomeField]?) -> JSONObject {
    var object =
      episode?.record(nil) ?? EpisodeJSON.head(id, else: stage == "feed" ? .feed : .operand)
    for field in received.without(EpisodeJSON.known).fields {
      object.append(field.key, field.key == "url" ? Self.withoutUserInfo(field.value) : field.value)
    }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, size or code, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail = result?.failure == nil ? cell(.size).text : exact(.code)
    return Self.line(cell(.outcome), width: 9, texts: [id, detail, exact(.title)], on: terminal)
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
