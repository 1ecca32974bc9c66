package import VmxModel

/// The fields of a report in listings.
package enum ReportField: String, ListingField {
  case id, outcome, event, order, at
  case until, code, message

  package static let defaultFields: [ReportField] = [.id, .outcome, .event, .order, .at]

  package var column: Column {
    switch self {
    case .message: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// An event that was reported to a backend, or an instruction received from it, as a row of output.
package struct ReportRow: ListingRow {
  /// The subject of a row.
  package enum Subject: Sendable, Equatable {
    /// A step of an episode, and its time.
    case event(OutboxStep, at: Timestamp)
    /// A call to a licence provider.
    case call(String)
    /// An instruction, and the new end of the rights that it names.
    case order(String, until: Timestamp?)
  }

  package let id: String
  private let subject: Subject
  private let result: OperationResult
  private let stage: String

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: the id of the episode.
  ///   - stage: the name of the command.
  package init(_ id: String, _ subject: Subject, _ result: OperationResult, stage: String) {
    self.id = id
    self.subject = subject
    self.result = result
    self.stage = stage
  }

  package func cell(_ field: ReportField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(result.name, result.style)
    case .message: Cell(TimeText.localised(exact(.message), in: SystemZone()))
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: ReportField) -> String {
    switch (field, subject) {
    case (.id, _): id
    case (.outcome, _): result.name
    case (.event, .event(let step, _)): step.rawValue
    case (.event, .call(let name)): name
    case (.at, .event(_, let at)): at.text
    case (.order, .order(let name, _)): name
    case (.until, .order(_, let until)): until?.text ?? ""
    case (.code, _): result.failure?.code.rawValue ?? ""
    case (.message, _): result.failure?.summary ?? ""
    default: ""
    }
  }

  package func record(_ fields: [ReportField]?) -> JSONObject {
    var object = EpisodeJSON.head(id, else: .operand)
    for field in [ReportField.event, .order, .at, .until] {
      let text = exact(field)
      object.append(field.rawValue, text.isEmpty ? nil : text)
    }
    result.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, event or order.
  package func line(_ terminal: TerminalFacts) -> String? {
    let words: String
    if case .order(let name, _) = subject {
      words = "ordered to \(name)"
    } else {
      words = exact(.event)
    }
    return Self.line(
      cell(.outcome), width: 9, [id, words, result.failure?.code.rawValue ?? exact(.at)], terminal)
  }
}
