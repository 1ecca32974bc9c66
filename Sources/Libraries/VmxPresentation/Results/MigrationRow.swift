package import VmxModel

/// The fields of a step of `vmx migrate` in listings.
package enum MigrationField: String, ListingField {
  case outcome, id, kind, part, path, target, size, doubts, evidence, changed, reason, code, message

  package static let defaultFields: [MigrationField] = [
    .outcome, .id, .part, .size, .path, .doubts,
  ]
  package static let recorded: [MigrationField] = [
    .kind, .part, .path, .target, .size, .evidence, .doubts, .changed,
  ]

  package var key: FieldKey {
    switch self {
    case .outcome: .outcome
    case .id: FieldKey(.text, "The file or the episode")
    case .kind: FieldKey(.word, "The source program, as in --from")
    case .part: FieldKey(.text, "The name of the part")
    case .path: FieldKey(.text, "The absolute path of the file", .end)
    case .target: FieldKey(.text, "The new path of the file, relative to the root", .end)
    case .size: FieldKey(.bytes, "The size of the file")
    case .doubts: FieldKey(.list, "The doubts, as words of vmx-migrate(1)", .end)
    case .evidence: FieldKey(.list, "The evidence for the episode, as phrases", .end)
    case .changed:
      FieldKey(.list, "The fields of a known episode that change, as in episode rows", .end)
    case .reason: FieldKey(.word, "The reason if it is unchanged, as in vmx-states(7)")
    case .code: .errorCode
    case .message: .errorMessage
    }
  }
}

/// A file or record of another program and its result, as a row.
package struct MigrationRow: ResultRow {
  private let step: MigrationStep
  package let result: OperationResult?

  /// Creates the row of a step.
  package init(_ step: MigrationStep, _ result: OperationResult) {
    self.step = step
    self.result = result
  }

  package var id: String { step.id }
  package var stage: String { "migrate" }
  package var kind: RowKind? { step.episode == nil ? .migration : nil }

  package func value(_ field: MigrationField) -> RowValue {
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
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail = result?.failure == nil ? cell(.size).text : exact(.code)
    return Self.line(
      cell(.outcome), width: 9,
      [step.episode?.description, exact(.part), detail, step.path, exact(.doubts)],
      terminal)
  }
}
