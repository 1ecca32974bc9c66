import VmxBrowsing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore

/// Passes episodes to the queue editor, and their results to the reporter.
struct QueueWork {
  let task: QueueRequest.Task
  let isDryRun: Bool
  let editor: QueueEditor
  let reporter: OutcomeReporter
  let rows: EpisodeRows

  /// Performs the request for the whole input. Cancelling cannot be undone, and a move depends on
  /// all moved episodes: both begin only after the input was read to its end. Nothing is cancelled
  /// if a line of it is bad.
  ///
  /// - Throws: errors that concern the whole run: the store, standard input and output.
  func perform(on input: GivenEpisodes, in store: LibraryStore) throws {
    switch task {
    case .act(.cancel):
      let items = try input.all(in: store)
      guard !items.contains(where: \.isBadLine) else {
        for case .badLine(let failure, let place) in items {
          reporter.reportBadLine(failure, at: place)
        }
        return
      }
      for start in stride(from: 0, to: items.count, by: QueueEditor.largestBatch) {
        let batch = Array(items[start...].prefix(QueueEditor.largestBatch))
        try perform(on: batch) {
          try editor.perform(.cancel, on: $0, isDryRun: isDryRun)
        }
      }
    case .act(let action):
      try input.forEachBatch(in: store, largest: QueueEditor.largestBatch) { batch in
        try perform(on: batch) { try editor.perform(action, on: $0, isDryRun: isDryRun) }
      }
    case .move(let goal):
      try perform(on: try input.all(in: store)) {
        try editor.move($0, to: goal, isDryRun: isDryRun)
      }
    }
  }

  private func perform(
    on items: [GivenEpisodes.Item], _ change: ([EpisodeID]) throws -> QueueEditor.Changes
  ) throws {
    let ids = items.compactMap { item in
      if case .episode(let id, _) = item { id } else { nil }
    }
    var changes = (ids.isEmpty ? [] : try change(ids))[...]
    for item in items {
      switch item {
      case .episode(let id, let received):
        guard let change = changes.popFirst() else { break }
        try report(change, of: id, received)
      case .bad(let failure, let operand): try reporter.reportFailure(failure, of: operand)
      case .badLine(let failure, let place): reporter.reportBadLine(failure, at: place)
      case .passing(let object): try reporter.pass(object)
      }
    }
  }

  private func report(
    _ change: Result<QueueChange, Failure>, of id: EpisodeID, _ received: JSONObject
  ) throws {
    switch change {
    case .success(let change):
      let outcome: Outcome =
        switch change.verdict {
        case .changed: .done
        case .unchanged(let hint): .unchanged(hint: hint)
        }
      try reporter.report(
        outcome, of: change.episode.id.description, episode: try rows.row(of: change.episode),
        received: received)
    case .failure(let failure):
      try reporter.reportFailure(failure, of: id.description, received: received)
    }
  }
}
