package import VmxModel

/// The fields of a step of `vmx clean` in listings.
package enum CleaningField: String, ListingField {
  case step, outcome, bytes, id
  case explanation = "text"
  case part, path
  case relativePath = "relative_path"
  case root, rev, code, message, inverse

  package static let defaultFields: [CleaningField] = [.step, .outcome, .bytes, .id, .explanation]

  package var column: Column {
    switch self {
    case .explanation, .message, .path, .relativePath: Column(heading, .left, .end)
    case .bytes: Column("SIZE", .right)
    default: Column(heading)
    }
  }
}

/// A cleanup step of `vmx clean` and its result, as a row.
package struct CleaningRow: ListingRow {
  private let step: CleaningStep
  private let result: OperationResult
  private let folder: String?
  private let received: JSONObject

  /// Creates the row of a step.
  ///
  /// - Parameters:
  ///   - folder: the absolute path of the folder to which the step's path is relative; nil if
  ///     unknown.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  package init(
    _ step: CleaningStep, _ result: OperationResult = .planned, below folder: String? = nil,
    received: JSONObject = JSONObject()
  ) {
    self.step = step
    self.result = result
    self.folder = folder
    self.received = received
  }

  package var id: String { step.id }

  package func cell(_ field: CleaningField) -> Cell {
    switch field {
    case .step: Cell(exact(field), .strong)
    case .outcome: Cell(exact(field), result.style)
    case .bytes: Cell(step.bytes?.forPeople ?? "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: CleaningField) -> String {
    switch field {
    case .step: step.kind.rawValue
    case .outcome: result.name
    case .bytes: step.bytes.map { "\($0.bytes)" } ?? ""
    case .id: step.id
    case .explanation: step.explanation
    case .part: step.part ?? ""
    case .path: path?.displayText ?? ""
    case .relativePath: step.path?.displayText ?? ""
    case .root: step.root ?? ""
    case .rev: step.rev.map { "\($0)" } ?? ""
    case .code: (result.failure?.code ?? step.code)?.rawValue ?? ""
    case .message: result.failure?.summary ?? ""
    case .inverse: step.inverse
    }
  }

  package func record(_ fields: [CleaningField]?) -> JSONObject {
    var object = EpisodeJSON.head(step.id, else: .step)
    object.append(CleaningField.path.rawValue, folder == nil ? nil : path)
    for field in step.fields.fields { object.append(field.key, field.value) }
    let own = Set(object.fields.map(\.key)).union(["path", "stage", "outcome", "error", "hint"])
    for field in received.without(own).fields { object.append(field.key, field.value) }
    result.append(to: &object, stage: "clean")
    return object.selecting(fields)
  }

  /// The absolute path; the relative one if the folder is unknown.
  private var path: PathBytes? {
    guard let folder, let path = step.path else { return step.path }
    return PathBytes(Array(folder.utf8) + Array("/".utf8) + path.bytes)
  }
}
