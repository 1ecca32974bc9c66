package import VmxModel

/// The fields of a step of `vmx migrate` in listings.
package enum MigrationField: String, ListingField {
  case outcome, id, kind, part, path, target, size, doubts, evidence, changed, reason, code, message

  package static let defaultFields: [MigrationField] = [
    .outcome, .id, .part, .size, .path, .doubts,
  ]

  package var column: Column {
    switch self {
    case .path, .target, .message, .doubts, .evidence, .changed: Column(heading, .left, .end)
    case .size: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// A file or record of another program and its result, as a row.
package struct MigrationRow: ListingRow {
  private let step: MigrationStep
  private let result: OperationResult

  /// Creates the row of a step.
  package init(_ step: MigrationStep, _ result: OperationResult) {
    self.step = step
    self.result = result
  }

  package var id: String { step.id }
  package var kind: RowKind? { step.episode == nil ? .migration : nil }

  package func cell(_ field: MigrationField) -> Cell {
    switch field {
    case .id: Cell(exact(field), .strong)
    case .outcome: Cell(exact(field), result.style)
    case .size: Cell(step.size?.forPeople ?? "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: MigrationField) -> String {
    switch field {
    case .outcome: result.name
    case .id: step.id
    case .kind: step.kind.rawValue
    case .part: step.part ?? ""
    case .path: step.path
    case .target: step.target ?? ""
    case .size: step.size.map { "\($0.bytes)" } ?? ""
    case .doubts: step.doubts.map(\.rawValue).joined(separator: ",")
    case .evidence: step.evidence.joined(separator: ", ")
    case .changed: step.changed.joined(separator: ",")
    case .reason: result.reason?.rawValue ?? ""
    case .code: result.failure?.code.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    }
  }

  package func record(_ fields: [MigrationField]?) -> JSONObject {
    var object = EpisodeJSON.head(step.id, kind)
    object.append("kind", step.kind.rawValue)
    object.append("part", step.part)
    object.append("path", step.path)
    object.append("target", step.target)
    object.append("size", step.size.map { .integer($0.bytes) })
    object.append("evidence", .array(step.evidence.map { .string($0) }))
    object.append("doubts", .array(step.doubts.map { .string($0.rawValue) }))
    if !step.changed.isEmpty {
      object.append("changed", .array(step.changed.map { .string($0) }))
    }
    result.append(to: &object, stage: "migrate")
    return object.selecting(fields)
  }

  /// Formats one line: result, episode, size or code, path.
  package func line(_ terminal: TerminalFacts) -> String? {
    let detail = result.failure == nil ? cell(.size).text : exact(.code)
    return Self.line(
      cell(.outcome), width: 9,
      [step.episode?.description, exact(.part), detail, step.path, exact(.doubts)],
      terminal)
  }
}
