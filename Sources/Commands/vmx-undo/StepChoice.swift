import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving

/// The journal entries to undo: those of the last operations, or those that were named.
struct StepChoice {
  /// A journal entry, or an unknown name.
  enum Item {
    case row(JournalEntry, received: JSONObject)
    case unknown(String, received: JSONObject)
  }

  private enum Choice {
    case last(Int)
    case named([(name: String, received: JSONObject)])
  }

  private let choice: Choice

  /// Parses the operands, or reads standard input to its end.
  ///
  /// If a line of the input is bad, nothing is undone and each bad line is reported.
  ///
  /// - Throws: `usage`; errors of reading standard input.
  init(
    _ operands: [String], in context: CommandContext, _ reporter: OutcomeReporter
  ) throws(Failure) {
    if operands.isEmpty, RecordInput.isOffered(by: context.input, selectionTyped: false) {
      choice = .named(try Self.rows(of: context, reporter))
    } else if operands.isEmpty {
      choice = .last(1)
    } else if operands.count == 1, let count = Int(operands[0]) {
      guard count > 0 else {
        throw Failure(.usage, "'\(operands[0])' is no number of runs", hint: "give 1 or more")
      }
      choice = .last(count)
    } else {
      choice = .named(operands.map { ($0, JSONObject()) })
    }
  }

  /// Returns the journal entries: the latest operation first, and the latest entry of each
  /// operation first.
  func rows(among runs: [UndoRun]) -> [Item] {
    switch choice {
    case .last(let count):
      // Permanently deleted files are included, so that they are reported and no older operation is
      // undone instead.
      let left = runs.map { $0.rows.filter { $0.state != .undone } }.filter { !$0.isEmpty }
      return left.prefix(count).flatMap { rows in
        rows.reversed().map { .row($0, received: JSONObject()) }
      }
    case .named(let names):
      return names.flatMap { name, received -> [Item] in
        let found = runs.flatMap { run in
          run.run.id == name ? run.rows.reversed() : run.rows.filter { $0.id == name }
        }
        return found.isEmpty
          ? [.unknown(name, received: received)] : found.map { .row($0, received: received) }
      }
    }
  }

  private static func rows(
    of context: CommandContext, _ reporter: OutcomeReporter
  ) throws(Failure) -> [(name: String, received: JSONObject)] {
    var input = RecordInput(context.input)
    var names: [(name: String, received: JSONObject)] = []
    var isBad = false
    var isEmpty = true
    func refuse(_ failure: Failure, _ place: InputPlace) {
      isBad = true
      reporter.reportBadLine(failure, at: place)
    }
    while let record = try input.next() {
      isEmpty = false
      switch record {
      case .text(let text, _): names.append((text, JSONObject()))
      case .object(let object, let place):
        guard let id = object["id"]?.string else {
          refuse(Failure(.badLine, "the row has no field 'id'"), place)
          continue
        }
        names.append((id, object))
      case .bad(let failure, let place): refuse(failure, place)
      }
    }
    if isEmpty { context.messages.note("standard input had no rows; nothing to do") }
    return isBad ? [] : names
  }
}
