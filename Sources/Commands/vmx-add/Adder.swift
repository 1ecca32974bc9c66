import SystemPackage
import VmxBrowsing
import VmxCommand
import VmxImporting
import VmxLibrary
import VmxModel
import VmxPresentation

/// Passes requests to the library, and their results to the reporter.
struct Adder {
  let episodeImporter: EpisodeBatchImporter
  let importer: LocalImport
  let reporter: OutcomeReporter
  let rows: EpisodeRows
  let messages: Messages

  /// Adds a batch; reported results are durable.
  ///
  /// - Throws: errors that concern the whole run: the store, standard output, an interruption.
  func add(_ batch: [AddRequest]) throws {
    let described = batch.compactMap { request in
      if case .described(let description, _) = request { description } else { nil }
    }
    var results = (described.isEmpty ? [] : try episodeImporter.take(described))[...]
    for request in batch {
      switch request {
      case .described(_, let received):
        guard let result = results.popFirst() else { break }
        try report(result, of: request, received: received)
      case .file(let file, let description):
        let result = Result { try importer.take(file, as: description) }
        if case .failure(let error) = result, error.isInterruption { throw error }
        try report(result.mapError { Failure($0) }, of: request, received: JSONObject())
      case .bad(let failure, let operand): try reporter.reportFailure(failure, of: operand)
      case .badLine(let failure, let place):
        try reporter.flush()
        reporter.reportBadLine(failure, at: place)
      case .passing(let object): try reporter.pass(object)
      }
    }
    try reporter.flush()
  }

  private func report(
    _ result: Result<EpisodeImporter.Taken, Failure>, of request: AddRequest, received: JSONObject
  ) throws {
    switch result {
    case .success(let taken):
      let row = try rows.row(of: taken.episode)
      let outcome: Outcome = taken.verdict == .unchanged ? .unchanged(hint: nil) : .done
      // The results of a batch are known at the same time: its rows are flushed together.
      try reporter.report(
        outcome, of: taken.episode.id.description, episode: row, received: received,
        flushing: false)
      if let failure = taken.unsaved {
        let id = taken.episode.id
        messages.note("what belongs beside '\(id)' is not written: \(failure.summary)")
      }
    case .failure(let failure):
      // Flushes earlier rows first, so that they precede the message if both streams go to one
      // terminal.
      try reporter.flush()
      try reporter.reportFailure(failure, of: request.name, received: received)
    }
  }
}
