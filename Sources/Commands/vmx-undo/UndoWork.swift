import VmxBrowsing
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSystem

/// Passes journal entries to the undo service, and their results to the reporter.
struct UndoWork {
  let undo: UndoService
  let isDryRun: Bool
  let reporter: OutcomeReporter
  let rows: EpisodeRows

  /// The number of entries undone in parallel, so that they share disk flushes.
  private static let pool = 8
  /// The maximum number of entries undone before their results are reported.
  private static let largestBatch = 256

  /// Undoes the entries, several in parallel. A failure for one entry does not stop the others.
  ///
  /// - Throws: errors that concern the whole run: standard output.
  func perform(_ items: [StepChoice.Item]) throws {
    var batch: [(row: JournalEntry, received: JSONObject)] = []
    var episodes: Set<EpisodeID> = []
    func undoBatch() throws {
      try undo(batch)
      batch = []
      episodes = []
    }
    for item in items {
      guard case .row(let row, let received) = item else {
        try undoBatch()
        try report(item)
        continue
      }
      // A second entry of an episode, or one of a loose file, waits for the earlier entries.
      let isApart = row.episode.map { episodes.contains($0) } ?? true
      if isApart || batch.count == Self.largestBatch { try undoBatch() }
      batch.append((row, received))
      if let episode = row.episode { episodes.insert(episode) } else { try undoBatch() }
    }
    try undoBatch()
  }

  private func undo(_ batch: [(row: JournalEntry, received: JSONObject)]) throws {
    let results = WorkerThread.map(
      batch.map(\.row), threads: Self.pool, named: "vmx-undo"
    ) { [undo, isDryRun] row in
      Result { try undo.undo(row, isDryRun: isDryRun) }.mapError { Failure($0) }
    }
    for (item, result) in zip(batch, results) { try report(result, item.row, item.received) }
  }

  private func report(_ item: StepChoice.Item) throws {
    guard case .unknown(let name, let received) = item else { return }
    let failure = Failure(
      .undoImpossible, "there is no step '\(name)'", hint: "see 'vmx undo --list'")
    try reporter.reportFailure(failure, of: name, received: received)
  }

  private func report(
    _ result: Result<Episode?, Failure>, _ row: JournalEntry, _ received: JSONObject
  ) throws {
    let name = row.episode?.description ?? row.id
    switch result {
    case .success(let episode):
      try reporter.report(
        .done, of: name, episode: try episode.map { try rows.row(of: $0) }, received: received)
    case .failure(let failure):
      if case .wait = failure.code.entry.retry {
        try reporter.report(.waiting(failure), of: name, episode: nil, received: received)
      } else {
        try reporter.reportFailure(failure, of: name, received: received)
      }
    }
  }
}
