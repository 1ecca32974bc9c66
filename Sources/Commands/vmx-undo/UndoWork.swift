import VmxBrowsing
import VmxCommand
import VmxJobs
import VmxModel
import VmxPresentation

/// Hands rows to the desk that takes them back, and what became of them to the reporter.
struct UndoWork {
  let desk: UndoDesk
  let isRehearsal: Bool
  let reporter: OutcomeReporter
  let rows: EpisodeRows

  /// Takes the rows back one by one; one that cannot be does not hinder the others.
  ///
  /// - Throws: what concerns the whole run: standard output.
  func perform(_ items: [StepChoice.Item]) throws {
    for item in items {
      switch item {
      case .row(let row, let received): try undo(row, received)
      case .unknown(let name, let received):
        let failure = Failure(
          .undoImpossible, "there is no step '\(name)'", hint: "see 'vmx undo --list'")
        try reporter.reportFailure(failure, of: name, received: received)
      }
    }
  }

  private func undo(_ row: StepRow, _ received: JSONObject) throws {
    let name = row.episode?.description ?? row.id
    do {
      let episode = try desk.undo(row, isRehearsal: isRehearsal)
      try reporter.report(
        .done, of: name, episode: try episode.map { try rows.row(of: $0) }, received: received)
    } catch let error as OutputError {
      throw error
    } catch {
      let failure = Failure(error)
      if case .wait = failure.code.entry.retry {
        try reporter.report(.waiting(failure), of: name, episode: nil, received: received)
      } else {
        try reporter.reportFailure(failure, of: name, received: received)
      }
    }
  }
}
