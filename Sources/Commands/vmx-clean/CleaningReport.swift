import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore

/// Reports the steps of a cleanup, each as a row.
struct CleaningReport {
  /// The rows of the input whose episodes no step has changed so far.
  private var untouched: [EpisodeID: InputRow]
  /// The fields of the input that are passed on. The known ones describe the episodes, not the
  /// steps.
  private let unknownFields: [EpisodeID: JSONObject]
  private let folders: EpisodeRows
  private let cache: FilePath?
  private let reporter: RowReporter<CleaningRow>
  private let context: CommandContext
  /// The number of bytes that the planned steps would free.
  private var plannedBytes: Int64 = 0

  /// - Parameters:
  ///   - untouched: all rows of the input, by episode.
  ///   - cache: the folder of replaceable files.
  init(
    of store: LibraryStore, untouched: [EpisodeID: InputRow], cache: FilePath?,
    to reporter: RowReporter<CleaningRow>, in context: CommandContext
  ) {
    self.untouched = untouched
    unknownFields = untouched.mapValues { $0.received.without(EpisodeJSON.known) }
    folders = EpisodeRows(of: store, in: context)
    self.cache = cache
    self.reporter = reporter
    self.context = context
  }

  /// Reports the result of a step.
  ///
  /// - Parameter received: the row of the plan; nil for a step that the rules planned.
  /// - Throws: `output-failed`, errors of the store.
  mutating func report(
    _ step: CleaningStep, result: OperationResult, for received: JSONObject? = nil
  ) throws {
    if result == .planned {
      plannedBytes = plannedBytes.addingClamped(step.bytes?.bytes ?? 0)
    }
    let id = EpisodeID(valid: step.id)
    if let id { untouched[id] = nil }
    // A join names a second episode, which may be hidden.
    if case .join(_, let kept) = step.action, !context.parental.allows(row: kept.description) {
      return
    }
    let folder =
      step.kind == .dropCache ? cache?.string : try step.root.flatMap(folders.folder)
    let row = CleaningRow(
      step, result, below: folder,
      received: received ?? id.flatMap { unknownFields[$0] } ?? JSONObject())
    try reporter.report(result, row, of: step.id, flushing: false)
  }

  /// Reports the rows of the input whose episodes no step has changed.
  ///
  /// - Throws: `output-failed`.
  func reportUntouched() throws {
    for row in untouched.values { try reporter.reportUnchanged(.notChosen, row) }
  }

  /// Ends the output with the tally.
  ///
  /// - Throws: the exit status of the run, `output-failed`.
  func finish() throws {
    let size = ByteCount(clamping: plannedBytes).forPeople
    let isPlan = reporter.tally.count(of: "planned") > 0
    try reporter.finish(notes: [reporter.tally.text + (isPlan ? ", \(size)" : "")])
  }
}
