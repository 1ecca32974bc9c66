import VmxMigrating
import VmxModel
import VmxPresentation

/// A file or record of another program and its result, as a row.
struct MigrationRow: ResultRow {
  private let step: MigrationStep
  let result: OperationResult?

  /// Creates the row of a step.
  init(_ step: MigrationStep, _ result: OperationResult) {
    self.step = step
    self.result = result
  }

  var id: String { step.id }
  var stage: String { "migrate" }
  var kind: RowKind? { step.episode == nil ? .migration : nil }

  func value(_ field: MigrationField) -> RowValue {
    switch field {
    case .outcome: outcome
    case .id: .text(step.id).styled(.strong)
    case .kind: .word(step.kind.rawValue)
    case .part: .text(step.part)
    case .path: .text(step.path)
    case .target: .text(step.target)
    case .size: .bytes(step.size)
    case .doubts: .list(step.doubts.map(\.rawValue))
    case .evidence: .list(step.evidence, separator: ", ")
    case .changed: .list(nonEmpty: step.changed)
    case .reason: .word(result?.reason?.rawValue)
    case .code: errorCode
    case .message: errorMessage
    }
  }

  /// Formats one line: result, episode, size or code, path.
  func line(_ terminal: TerminalFacts) -> String? {
    let detail = result?.failure == nil ? cell(.size).text : exact(.code)
    return Self.line(
      cell(.outcome), width: 9,
      texts: [step.episode?.description, exact(.part), detail, step.path, exact(.doubts)],
      on: terminal)
  }
}
