import ArgumentParser
import SystemPackage
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Adds episodes to the library: from URLs, local files, or lines of JSON or of URLs.
@main
struct AddCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "add", usage: "vmx add [<options>] (<url>|<file>)...",
    discussion: """
      Prints the id of each episode, also of an existing one, which is not changed. A file is \
      copied, verified and stored at once; a URL waits for 'vmx fetch'. Without operands, lines of \
      JSON are read from standard input; with '-', lines of URLs.

      vmx add --show 'Our Films' --season 1 --number 2 https://example.org/film.mp4
      vmx add ~/Videos/*.mp4
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var details: DescriptionOptions

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: "URLs or files; '-' reads lines of URLs from standard input.")
  var sources: [String] = []

  var pathArguments: [String] {
    (sources + [details.licence].compactMap { $0 }).filter { !$0.contains("://") }
  }

  func validate() throws {
    guard details.from == nil || sources.isEmpty || sources == ["-"] else {
      throw ValidationError("--from reads standard input, and takes no operand but '-'")
    }
    guard !details.merge || sources.isEmpty else {
      throw ValidationError("--merge reads rows on standard input, and takes no operands")
    }
    // A licence file contains the address of its video.
    let isNamedByLicence = sources.isEmpty && details.licence.map { !$0.contains("://") } ?? false
    try details.validate(
      describing: isNamedByLicence ? 1 : sources == ["-"] ? 0 : sources.count)
  }

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output, usual: isDryRun ? OutcomeField.defaultFields : [.id]), in: context,
      tally: Tally(waitingFails: true))
    var details = details
    let licence = try LicenceAddition(details, in: context)
    let sources = try licence?.operands(sources, &details) ?? sources
    let selection = try AddInput(details, sources).selection(in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let display = AddDisplay(sources, isOff: output.quiet || context.isJSON, in: context)
    defer { display.close() }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      newFilesBelow: try library.rootFolder(in: context),
      shouldStop: { interruption.isRequested })
    let files = LocalImport(tools, progress: display.progress)
    let importer = EpisodeBatchImporter(
      store: store, clock: context.clock,
      catalogue: details.merge ? try context.settings.catalogueBase().origin : nil,
      nfo: tools.nfo)
    let rows = EpisodeRows(of: store, in: context)
    let follow = { (taken: Result<EpisodeImporter.Imported, Failure>) in
      guard let licence, !isDryRun, case .success(let taken) = taken else { return taken }
      return Result {
        let result = try licence.add(taken.episode.id, with: files, to: store, in: context)
        return result.isChanged || taken.verdict != .unchanged
          ? taken.followed(by: result.episode, unsaved: result.unsaved) : taken
      }.mapError { Failure($0) }
    }
    do {
      try selection.forEachBatch(largest: selection.source == .rows ? 1000 : 1) { entries in
        guard !interruption.isRequested else { return false }
        var imported = try importer.add(
          entries.flatMap(\.descriptions), isTyped: selection.source == .operands)[...]
        for entry in entries {
          switch entry {
          case .item(.requests(let requests), _):
            for request in requests {
              let result = request.description.flatMap { _ in
                imported.popFirst() ?? .failure(Failure(.internalError, "no result"))
              }
              // The fields of such a row are not passed on, since they contain headers and cookies.
              try report(result, of: request.name, for: JSONObject(), rows: rows, to: reporter)
            }
          case .item(.description(let description), let row):
            guard let result = imported.popFirst().map(follow) else { break }
            try report(
              result, of: "\(description.proposedID)", for: row.received, rows: rows, to: reporter)
          case .item(.file(let file, let description), let row):
            let (result, name) = try importFile(
              file, as: description, of: row, with: files, on: display)
            try report(follow(result), of: name, for: row.received, rows: rows, to: reporter)
          case .invalid, .passThrough: try reporter.reportUnusable(entry)
          }
        }
        try reporter.flush()
        return true
      }
    } catch  where error.isInterruption {
      // The interruption is reported below, and by the exit status.
    }
    display.close()
    try reporter.finish(interruptedBy: interruption)
  }

  /// Adds a local file, or plans that.
  ///
  /// - Returns: the result, and the operand as it may be printed.
  /// - Throws: an interruption only.
  private func importFile(
    _ file: FilePath, as description: EpisodeDescription, of row: InputRow, with files: LocalImport,
    on display: AddDisplay
  ) throws -> (Result<EpisodeImporter.Imported, Failure>, name: String) {
    do {
      let imported = try display.during(file) {
        try isDryRun ? files.plan(file, as: description) : files.importFile(file, as: description)
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
    _ result: Result<EpisodeImporter.Imported, Failure>, of name: String, for received: JSONObject,
    rows: EpisodeRows, to reporter: RowReporter<OutcomeRow>
  ) throws {
    switch result {
    case .success(let taken):
      let isRemoved = taken.verdict == .unchanged && taken.episode.want == .gone
      let outcome: OperationResult =
        isRemoved
        ? .unchanged(.gone, hint: taken.episode.removedHint)
        : OperationResult(isChanged: taken.verdict != .unchanged)
      let notes =
        [taken.note, taken.replacement].compactMap { $0 }
        + EpisodeResult.notes(taken.unsaved, of: taken.episode.id)
      try reporter.report(
        EpisodeResult(taken.episode.id, outcome, episode: taken.episode, notes: notes), rows,
        received: received, as: taken.isChange && !isDryRun ? "changed" : nil, flushing: false)
    case .failure(let failure):
      // Flushes earlier rows first, so that they precede the message if both streams go to one
      // terminal.
      try reporter.flush()
      try reporter.reportFailure(failure, of: name, received: received)
    }
  }
}
