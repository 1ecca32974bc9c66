import VmxModel
import VmxPresentation
import VmxRemoving

/// A cleanup step of `vmx clean` and its result, as a row.
struct CleaningRow: ResultRow {
  private let step: CleaningStep
  let result: OperationResult?
  private let folder: String?
  let received: JSONObject

  /// Creates the row of a step.
  ///
  /// - Parameters:
  ///   - folder: the absolute path of the folder to which the step's path is relative; nil if
  ///     unknown.
  ///   - received: the row received from the pipe; its unknown fields are passed on.
  init(
    _ step: CleaningStep, _ result: OperationResult = .planned, below folder: String? = nil,
    received: JSONObject = JSONObject()
  ) {
    self.step = step
    self.result = result
    self.folder = folder
    self.received = received
  }

  var id: String { step.id }
  var stage: String { "clean" }

  func value(_ field: CleaningField) -> RowValue {
    switch field {
    case .step: .word(step.kind.rawValue, .strong)
    case .outcome: outcome
    case .bytes: .bytes(step.bytes)
    case .id: .text(step.id)
    case .explanation: .text(step.explanation)
    case .part: .text(step.part)
    case .path: .text(path?.displayText)
    case .relativePath: .text(step.path?.displayText)
    case .root: .text(step.root)
    case .rev: .number(step.rev)
    case .code: .word((result?.failure?.code ?? step.code)?.rawValue)
    case .message: errorMessage
    case .inverse: .text(step.inverse)
    }
  }

  func record(_ fields: [CleaningField]?) -> JSONObject {
    var object = EpisodeJSON.head(step.id, else: .step)
    object.append(CleaningField.path.rawValue, folder == nil ? nil : path)
    for field in step.fields.fields { object.append(field.key, field.value) }
    let own = Set(object.fields.map(\.key)).union(["path", "stage", "outcome", "error", "hint"])
    for field in received.without(own).fields { object.append(field.key, field.value) }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// The absolute path; the relative one if the folder is unknown.
  private var path: PathBytes? {
    guard let folder, let path = step.path else { return step.path }
    return PathBytes(Array(folder.utf8) + Array("/".utf8) + path.bytes)
  }
}
