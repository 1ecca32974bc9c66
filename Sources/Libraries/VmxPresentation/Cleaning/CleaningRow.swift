package import VmxModel

/// The fields of a step of `vmx clean` in listings.
package enum CleaningField: String, ListingField {
  case step, outcome, bytes, id, why, part, path, root, rev, code, message, inverse

  package static let usual: [CleaningField] = [.step, .outcome, .bytes, .id, .why]

  package var column: Column {
    switch self {
    case .why, .message, .path: Column(rawValue.uppercased(), isFlexible: true)
    case .bytes: Column("SIZE", .right)
    default: Column(rawValue.uppercased())
    }
  }
}

/// A cleanup step of `vmx clean` and its outcome, as a row.
package struct CleaningRow: ListingRow {
  private let step: CleaningStep
  private let outcome: Outcome?
  private let received: JSONObject

  /// Creates the row of a step.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the step; nil in a plan.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ step: CleaningStep, _ outcome: Outcome? = nil, received: JSONObject = JSONObject()
  ) {
    self.step = step
    self.outcome = outcome
    self.received = received
  }

  package func cell(_ field: CleaningField) -> Cell {
    switch field {
    case .step: Cell(exact(field), .strong)
    case .outcome: Cell(exact(field), tone)
    case .bytes: Cell(step.bytes?.forPeople ?? "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: CleaningField) -> String {
    switch field {
    case .step: step.kind.rawValue
    case .outcome: outcome?.name ?? "planned"
    case .bytes: step.bytes.map { "\($0.bytes)" } ?? ""
    case .id: step.id
    case .why: step.why
    case .part: step.part ?? ""
    case .path: step.path?.words ?? ""
    case .root: step.root ?? ""
    case .rev: step.rev.map { "\($0)" } ?? ""
    case .code: (outcome?.failure?.code ?? step.code)?.rawValue ?? ""
    case .message: outcome?.failure?.summary ?? ""
    case .inverse: step.inverse
    }
  }

  package func record(_ fields: [CleaningField]?) -> JSONObject {
    var object = EpisodeJSON.head(step.id)
    for field in step.fields.fields { object.append(field.key, field.value) }
    let own = Set(object.fields.map(\.key)).union(["stage", "outcome", "error", "hint"])
    for field in received.without(own).fields { object.append(field.key, field.value) }
    if let outcome {
      object.append("stage", "clean")
      object.append("outcome", outcome.name)
      if case .unchanged(let hint) = outcome { object.append("hint", hint) }
      object.append("error", outcome.failure.map { .object(FailureText.record(of: $0)) })
    }
    guard let fields else { return object }
    let wanted = Set(fields.map(\.rawValue)).union(["schema", "id"])
    return JSONObject(distinct: object.fields.filter { wanted.contains($0.key) })
  }

  private var tone: Tone {
    switch outcome {
    case .done: .good
    case nil, .unchanged: .plain
    case .waiting: .held
    case .failed: .bad
    }
  }
}
