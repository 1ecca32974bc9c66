import VmxModel
import VmxPresentation

/// An event that was reported to a backend, or an instruction received from it, as a row of output.
struct ReportRow: ResultRow {
  /// The subject of a row.
  enum Subject: Sendable, Equatable {
    /// A step of an episode, and its time.
    case event(OutboxStep, at: Timestamp)
    /// A call to a licence provider.
    case call(String)
    /// An instruction, and the new end of the rights that it names.
    case instruction(String, until: Timestamp?)

    var event: String? {
      switch self {
      case .event(let step, _): step.rawValue
      case .call(let name): name
      case .instruction: nil
      }
    }

    var instruction: String? {
      if case .instruction(let name, _) = self { name } else { nil }
    }

    /// The time of the event, and the new end of the rights.
    var times: (at: Timestamp?, until: Timestamp?) {
      switch self {
      case .event(_, let at): (at, nil)
      case .call: (nil, nil)
      case .instruction(_, let until): (nil, until)
      }
    }
  }

  let id: String
  private let subject: Subject
  let result: OperationResult?
  let stage: String

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - id: the id of the episode.
  ///   - stage: the name of the command.
  init(_ id: String, subject: Subject, result: OperationResult, stage: String) {
    self.id = id
    self.subject = subject
    self.result = result
    self.stage = stage
  }

  var kind: RowKind? { EpisodeID(valid: id) == nil ? .operand : nil }

  func value(_ field: ReportField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .outcome: outcome
    case .event: .word(subject.event)
    case .order: .text(nonEmpty: subject.instruction)
    case .at: .time(subject.times.at)
    case .until: .time(subject.times.until)
    case .code: errorCode
    case .message:
      errorMessage.shown(Cell(TimeText.localised(errorMessage.exact, in: SystemZone())))
    }
  }

  /// Formats one line: result, id, event or instruction.
  func line(_ terminal: TerminalFacts) -> String? {
    let words = subject.instruction.map { "ordered to \($0)" } ?? subject.event
    return Self.line(
      cell(.outcome), width: 9, texts: [id, words, result?.failure?.code.rawValue ?? exact(.at)],
      on: terminal)
  }
}
