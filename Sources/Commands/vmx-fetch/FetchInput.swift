import Synchronization
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing

/// The episodes that `vmx fetch` was given: ids, URLs to add, or rows; without any, a queue.
final class FetchInput: Sendable {
  private let selection: InputSelection<EpisodeID>
  private let reporter: RowReporter<OutcomeRow>
  private let problem = Mutex<(any Error)?>(nil)

  init(
    _ operands: [String], isTyped: Bool, takesProofs: Bool,
    importer: EpisodeBatchImporter, to reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) {
    self.reporter = reporter
    selection = InputSelection(
      operands, isTyped: isTyped,
      takesProofs ? [.passing, .proofs] : .passing, in: context
    ) { row throws(Failure) in
      guard row.place == nil, let operand = row.text else { return try row.episodeID() }
      guard WebURL.isMeant(by: operand) else { return try EpisodeID(operand) }
      return try importer.id(of: try WebURL(operand))
    }
  }

  /// Submits each episode.
  func feed(_ submitter: WorkSubmitter, orAll queue: ReadyQueueFeed) {
    do {
      guard selection.source != .filters else { return try queue.feed(submitter) }
      try selection.forEach { entry in
        switch entry {
        case .item(let id, let row):
          let item = WorkItem(id, isAsked: true, isTyped: row.place == nil, row: row.received)
          return submitter.submit(item)
        case .bad(let failure, let row) where row.place == nil:
          try reporter.report(.failed(failure), of: row.text ?? "")
        case .bad, .passing: try reporter.reportUnusable(entry)
        }
        return true
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// Reports an error that ended `feed` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func conclude() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}

extension EpisodeBatchImporter {
  /// Adds the episode whose video is at a URL, and returns its id.
  fileprivate func id(of url: WebURL) throws(Failure) -> EpisodeID {
    var description = EpisodeDescription()
    try description.add(
      PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
    do {
      // The worker lifts a removal by hand, and says so.
      guard let result = try take([description], isTyped: false).first else {
        throw Failure(.internalError, "the URL was not taken in")
      }
      return try result.get().episode.id
    } catch {
      throw Failure(error)
    }
  }
}
