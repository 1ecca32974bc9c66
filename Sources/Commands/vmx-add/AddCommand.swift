import ArgumentParser
import SystemPackage
import VmxCommand
import VmxImporting
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Adds episodes to the library: from URLs, local files, or lines of JSON or of URLs.
@main
struct AddCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "add", usage: "vmx add [<options>] (<url>|<file>)...",
    discussion: """
      Prints the id of each episode. What is there already stays as it is, and its id is printed \
      too. A file is copied, proven and placed at once; what has a URL waits for 'vmx fetch'. \
      Without operands, lines of JSON are read from standard input; with '-', lines of URLs.

      vmx add --show 'Our Films' --season 1 --number 2 https://example.org/film.mp4
      vmx add ~/Videos/*.mp4
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var library: LibraryOptions
  @OptionGroup var details: DescriptionOptions

  @Argument(help: "URLs or files; '-' reads lines of URLs from standard input.")
  var sources: [String] = []

  var pathArguments: [String] { sources.filter { !$0.contains("://") } }

  func validate() throws {
    guard details.from == nil || sources.isEmpty else {
      throw ValidationError("--from reads rows of standard input, and takes no operand")
    }
    try details.validate(describing: sources == ["-"] ? 0 : sources.count)
  }

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(try form.form(output, usual: [.id]), in: context)
    let selection = try selection(in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(library.lock, until: interruption)
    let files = LocalImport(
      store: store,
      mediaRoots: MediaRoots(store: store, newFilesBelow: try library.rootFolder(in: context)),
      clock: context.clock, writesNFO: try context.settings.bool(.libraryNFO),
      shouldStop: { interruption.isRequested })
    let importer = EpisodeBatchImporter(store: store, clock: context.clock)
    let rows = EpisodeRows(of: store, in: context)
    do {
      try selection.forEachBatch(largest: selection.source == .rows ? 1000 : 1) { entries in
        guard !interruption.isRequested else { return false }
        var imported = try importer.take(
          entries.flatMap(\.descriptions), isTyped: selection.source == .operands)[...]
        for entry in entries {
          switch entry {
          case .item(.requests(let requests), _):
            for request in requests {
              let result = request.description.flatMap { _ in
                imported.popFirst() ?? .failure(Failure(.internalError, "it has no result"))
              }
              // Nothing of such a row is passed on, since it has headers and cookies.
              try report(result, of: request.name, JSONObject(), rows, reporter)
            }
          case .item(.description(let description), let row):
            guard let result = imported.popFirst() else { break }
            try report(result, of: "\(description.proposedID)", row.received, rows, reporter)
          case .item(.file(let file, let description), let row):
            let result = Result { try files.take(file, as: description) }
            if case .failure(let error) = result, error.isInterruption { throw error }
            try report(
              result.mapError { Failure($0) }, of: file.string, row.received, rows, reporter)
          case .bad, .passing: try reporter.reportUnusable(entry)
          }
        }
        try reporter.flush()
        return true
      }
    } catch  where error.isInterruption {
      // The interruption is reported below, and by the exit status.
    }
    try reporter.conclude(interruptedBy: interruption)
  }

  private func report(
    _ result: Result<EpisodeImporter.Taken, Failure>, of name: String, _ received: JSONObject,
    _ rows: EpisodeRows, _ reporter: RowReporter<OutcomeRow>
  ) throws {
    switch result {
    case .success(let taken):
      let isRemoved = taken.verdict == .unchanged && taken.episode.want == .gone
      let outcome: OperationResult =
        isRemoved
        ? .unchanged(.gone, hint: taken.episode.removedHint)
        : OperationResult(isChanged: taken.verdict != .unchanged)
      let unsaved = taken.unsaved.map {
        "what belongs beside '\(taken.episode.id)' is not written: \($0.summary)"
      }
      let notes = [taken.note, unsaved].compactMap { $0 }
      try reporter.report(
        EpisodeResult(taken.episode.id, outcome, taken.episode, notes: notes), rows,
        received: received, flushing: false)
    case .failure(let failure):
      // Flushes earlier rows first, so that they precede the message if both streams go to one
      // terminal.
      try reporter.flush()
      try reporter.reportFailure(failure, of: name, received: received)
    }
  }

  /// - Throws: `usage` if there are no operands and standard input cannot have rows.
  private func selection(in context: CommandContext) throws(Failure) -> InputSelection<AddItem> {
    let isPiped = sources == ["-"]
    let describes = details.describe
    let selection = InputSelection<AddItem>(sources, .passing, in: context) {
      [details, environment = context.environment] row throws(Failure) in
      if let object = row.object, details.from == .ytDlp {
        var requests = YtDlpInfo(object).requests
        for index in requests.indices where describes {
          requests[index].description = requests[index].description.flatMap { description in
            Result { () throws(Failure) in
              var description = description
              try details.apply(to: &description)
              return description
            }
          }
        }
        return .requests(requests)
      }
      if let object = row.object {
        var description = try EpisodeDescription(object)
        if describes { try details.apply(to: &description) }
        return .description(description)
      }
      let text = row.text ?? ""
      guard row.place == nil || isPiped else {
        throw Failure(
          .badLine, "the line is not a JSON object", hint: "with '-' lines of URLs are read")
      }
      if row.place != nil || WebURL.isMeant(by: text) {
        return .description(try details.description(of: try WebURL(text)))
      }
      guard details.to == nil else {
        throw Failure(
          .usage, "'--to' takes URLs, and '\(text)' is none", hint: "give a file with '--id'")
      }
      let file = environment.absolute(argument: text)
      return .file(file, try details.description(ofFile: file.lexicallyNormalized()))
    }
    guard selection.source == .filters else { return selection }
    throw Failure(.usage, "nothing to add", hint: "give URLs or files, or pipe in lines of JSON")
  }
}

/// An item to add.
private enum AddItem {
  /// The episodes of a row of another program.
  case requests([YtDlpInfo.Request])
  /// An episode that is described by its URLs.
  indirect case description(EpisodeDescription)
  /// A local file.
  indirect case file(FilePath, EpisodeDescription)
}

extension InputSelection<AddItem>.Entry {
  fileprivate var descriptions: [EpisodeDescription] {
    switch self {
    case .item(.description(let description), _): [description]
    case .item(.requests(let requests), _):
      requests.compactMap {
        if case .success(let description) = $0.description { description } else { nil }
      }
    default: []
    }
  }
}
