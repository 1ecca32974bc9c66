import Synchronization
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing

/// The input of `vmx fetch`: ids, URLs to add, or rows; without any, the queue.
final class FetchInput: Sendable {
  private let operands: [String]
  private let selection: InputSelection<Named>
  private let reporter: RowReporter<OutcomeRow>
  private let problem = Mutex<(any Error)?>(nil)
  /// The episodes that operands of this run have added.
  let added: AddedEpisodes

  /// A given episode, with its record if it was added from a URL.
  private struct Named: Sendable {
    let id: EpisodeID
    var added: Episode?
  }

  init(
    _ operands: [String], isTyped: Bool, takesProofs: Bool,
    importer: EpisodeBatchImporter, to reporter: RowReporter<OutcomeRow>, in context: CommandContext
  ) throws {
    let due = try context.dueRule()
    self.operands = operands
    self.reporter = reporter
    let added = AddedEpisodes()
    self.added = added
    selection = InputSelection(
      operands, isTyped: isTyped,
      takesProofs ? .proofs : [], accepting: [.show], in: context
    ) { row throws(Failure) in
      guard row.position == nil, let operand = row.text, WebURL.isMeant(by: operand) else {
        return Named(id: try context.parental.checked(try row.episodeID()))
      }
      let url = try WebURL(operand)
      try SourceAdvice.checkIsFile(url)
      let taken = try importer.add(url)
      if taken.verdict == .added { added.insert(taken.episode.id) }
      return Named(id: taken.episode.id, added: taken.episode)
    }
    .expandingRows(ofShows: .due(due)) { Named(id: $0) }
  }

  /// Whether operands or rows select the episodes.
  var namesEpisodes: Bool { selection.source != .filters }

  /// Calls the closure with each given episode; unusable entries are reported.
  ///
  /// - Throws: the errors of the closure and of the input.
  func forEach(_ body: (EpisodeID, _ added: Episode?, InputRow) throws -> Void) throws {
    try selection.forEach { entry in
      switch entry {
      case .item(let named, let row): try body(named.id, named.added, row)
      case .invalid(let failure, let row) where row.position == nil:
        try reporter.reportFailure(failure, of: row.text ?? "")
      case .invalid, .passThrough: try reporter.reportUnusable(entry)
      }
      return true
    }
  }

  /// Submits each episode.
  ///
  /// - Parameter amount: returns the amount to fetch for an episode; nil if there is none.
  func submit(
    _ submitter: WorkSubmitter, orAll queue: ReadyQueueFeed, on display: FetchDisplay,
    amount: (EpisodeID) throws -> WorkAmount?
  ) {
    do {
      guard selection.source != .filters else {
        return try queue.submitAll(submitter, display.begin)
      }
      var pending = try typedAmount(amount)
      defer { display.endInput() }
      try selection.forEach { entry in
        switch entry {
        case .item(let named, let row):
          let id = named.id
          let own = try amount(id) ?? .zero
          pending? -= own
          display.begin(id, own, pending: pending)
          let item = WorkItem(
            id, isRequested: true, isTyped: row.position == nil, row: row.received)
          return submitter.submit(item)
        case .invalid(let failure, let row) where row.position == nil:
          try reporter.reportFailure(failure, of: row.text ?? "")
        case .invalid, .passThrough: try reporter.reportUnusable(entry)
        }
        return true
      }
    } catch {
      problem.withLock { $0 = error }
    }
  }

  /// The amount to fetch for all operands; nil if rows select the episodes.
  private func typedAmount(_ amount: (EpisodeID) throws -> WorkAmount?) throws -> WorkAmount? {
    guard selection.source == .operands else { return nil }
    var sum = WorkAmount.zero
    for operand in operands {
      if let id = EpisodeID(valid: operand) {
        sum += try amount(id) ?? .zero
      } else {
        sum.add(fileOf: nil)
      }
    }
    return sum
  }

  /// Reports an error that ended `submit` early.
  ///
  /// - Throws: errors of reading the store or the input.
  func reportSubmitError() throws {
    if let problem = problem.withLock({ $0 }) { throw problem }
  }
}

extension EpisodeBatchImporter {
  /// Adds the episode whose video is at a URL, unless it is known.
  fileprivate func add(_ url: WebURL) throws(Failure) -> EpisodeImporter.Imported {
    var description = EpisodeDescription()
    try description.add(
      PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
    do {
      // The worker overrides a removal by the user, and reports it.
      guard let result = try add([description], isTyped: false).first else {
        throw Failure(.internalError, "the URL was not added")
      }
      return try result.get()
    } catch {
      throw Failure(error)
    }
  }
}
