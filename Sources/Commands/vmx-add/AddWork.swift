import SystemPackage
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Adds one batch of items after another, and reports each.
struct AddWork {
  private let store: LibraryStore
  private let files: LocalImport
  private let importer: EpisodeBatchImporter
  private let licence: LicenceAddition?
  private let display: AddDisplay
  private let reporter: RowReporter<OutcomeRow>
  private let rows: EpisodeRows
  private let context: CommandContext

  /// - Parameters:
  ///   - catalogue: the origin of the catalogue that the user has configured, for rows of it.
  ///   - licence: the licence file to store with the episode, if any.
  init(
    _ tools: LibraryTools, catalogue: String?, licence: LicenceAddition?, display: AddDisplay,
    reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) {
    store = tools.store
    files = LocalImport(tools, progress: display.progress)
    importer = EpisodeBatchImporter(
      store: store, clock: context.clock, catalogue: catalogue, nfo: tools.nfo)
    self.licence = licence
    self.display = display
    self.reporter = reporter
    self.context = context
    rows = EpisodeRows(of: store, in: context)
  }

  /// Adds the items of a batch.
  ///
  /// - Parameter isTyped: whether the user typed them.
  /// - Throws: `output-failed`, an interruption, and errors of the store.
  func add(_ entries: [InputSelection<AddItem>.Entry], isTyped: Bool) throws {
    var imported = try importer.add(entries.flatMap(\.descriptions), isTyped: isTyped)[...]
    for entry in entries {
      switch entry {
      case .item(.requests(let requests), _):
        for request in requests {
          let result = request.description.flatMap { _ in
            imported.popFirst() ?? .failure(Failure(.internalError, "no result"))
          }
          // The fields of such a row are not passed on, since they contain headers and cookies.
          try report(result, of: request.name, for: JSONObject())
        }
      case .item(.description(let description), let row):
        guard let result = imported.popFirst().map({ addLicence(to: $0) }) else { break }
        try report(result, of: "\(description.proposedID)", for: row.received)
      case .item(.file(let file, let description), let row):
        let (result, name) = try importFile(file, as: description, of: row)
        try report(addLicence(to: result), of: name, for: row.received)
      case .invalid, .passThrough: try reporter.reportUnusable(entry)
      }
    }
    try reporter.flush()
  }

  /// Stores the licence file with an added episode.
  private func addLicence(
    to result: Result<EpisodeImporter.Imported, Failure>
  ) -> Result<EpisodeImporter.Imported, Failure> {
    guard let licence, !context.isDryRun, case .success(let imported) = result else {
      return result
    }
    return Result {
      let added = try licence.add(imported.episode.id, with: files, to: store, in: context)
      return added.isChanged || imported.verdict != .unchanged
        ? imported.followed(by: added.episode, unsaved: added.unsaved) : imported
    }.mapError { Failure($0) }
  }

  /// Adds a local file, or plans that.
  ///
  /// - Returns: the result, and the operand as it may be printed.
  /// - Throws: an interruption only.
  private func importFile(
    _ file: FilePath, as description: EpisodeDescription, of row: InputRow
  ) throws -> (Result<EpisodeImporter.Imported, Failure>, name: String) {
    do {
      let imported = try display.during(file) {
        try context.isDryRun
          ? files.plan(file, as: description) : files.importFile(file, as: description)
      }
      return (.success(imported), file.string)
    } catch {
      if error.isInterruption { throw error }
      let failure = Failure(error)
      guard failure.code == .inputMissing else { return (.failure(failure), file.string) }
      if isFolder(file) {
        let folder = Failure(
          failure.code, "'\(file)' is a folder",
          hint: "run 'vmx migrate FOLDER' to add the videos of a folder")
        return (.failure(folder), file.string)
      }
      guard let text = row.text, SourceAdvice.withScheme(text) != nil else {
        return (.failure(failure), file.string)
      }
      return (
        .failure(SourceAdvice.guessing(failure, of: text)), URLRedaction.redacted(operand: text)
      )
    }
  }

  private func report(
    _ result: Result<EpisodeImporter.Imported, Failure>, of name: String, for received: JSONObject
  ) throws {
    switch result {
    case .success(let imported):
      let isRemoved = imported.verdict == .unchanged && imported.episode.want == .gone
      let outcome: OperationResult =
        isRemoved
        ? .unchanged(.gone, hint: imported.episode.removedHint)
        : OperationResult(isChanged: imported.verdict != .unchanged)
      let notes =
        [imported.note, imported.replacement].compactMap { $0 }
        + EpisodeResult.notes(imported.unsaved, of: imported.episode.id)
      try reporter.report(
        EpisodeResult(imported.episode.id, outcome, episode: imported.episode, notes: notes), rows,
        received: received, as: imported.isChange && !context.isDryRun ? "changed" : nil,
        flushing: false)
    case .failure(let failure):
      // Flushes earlier rows first, so that they precede the message if both streams go to one
      // terminal.
      try reporter.flush()
      try reporter.reportFailure(failure, of: name, received: received)
    }
  }
}
