import VmxCommand
import VmxModel
import VmxPresentation

/// The rows of a plan on standard input, all read before the first step.
struct PlannedRows {
  /// A step and its input row.
  struct Row {
    let step: CleaningStep
    let received: JSONObject
  }

  /// The steps, in the order of the rows; none if a line is bad.
  private(set) var rows: [Row] = []
  /// The lines that are not steps.
  private(set) var bad: [(failure: Failure, place: InputPlace)] = []

  /// Reads all rows.
  ///
  /// - Throws: `usage` if standard input is not a pipe or a file, `input-missing` if it cannot be
  ///   read.
  init(reading context: CommandContext) throws(Failure) {
    guard RecordInput.isOffered(by: context.input, selectionTyped: false) else {
      throw Failure(
        .usage, "no plan was given",
        hint: "pipe in rows: vmx clean --plan | jq … | vmx clean --apply")
    }
    var records = RecordInput(context.input)
    while let record = try records.next() {
      switch record {
      case .object(let object, let place):
        do throws(Failure) {
          rows.append(Row(step: try CleaningStep(row: object), received: object))
        } catch {
          refuse(error, place)
        }
      case .text(_, let place):
        refuse(Failure(.badLine, "the line is no row of a plan"), place)
      case .bad(let failure, let place): refuse(failure, place)
      }
    }
    if !bad.isEmpty { rows = [] }
    if rows.isEmpty, bad.isEmpty {
      context.messages.note("standard input had no rows; nothing to do")
    }
  }

  private mutating func refuse(_ failure: Failure, _ place: InputPlace) {
    let hint = "mend that line, or leave it out; nothing was done"
    bad.append((Failure(failure.code, failure.summary, hint: hint), place))
  }
}
