import VmxCommand
import VmxJobs
import VmxPresentation
import VmxModel

extension OutcomeReporter {
  /// Reports how the work on an episode ended; what was interrupted is no outcome yet.
  func report(
    _ outcome: EpisodeOutcome, of item: WorkItem, in context: CommandContext
  ) throws(OutputError) {
    guard !outcome.wasInterrupted else { return }
    let row = outcome.episode.map { EpisodeRow($0, EpisodeFacts(now: context.clock.now)) }
    try report(
      Outcome(outcome), of: outcome.id.description, episode: row,
      received: item.row ?? JSONObject())
  }
}

extension Outcome {
  fileprivate init(_ outcome: EpisodeOutcome) {
    let failure =
      outcome.failure ?? Failure(.internalError, "'\(outcome.id)' ended without a reason")
    self =
      switch outcome.word {
      case .done: .done
      case .unchanged: .unchanged(hint: outcome.failure?.hint)
      case .waiting: .waiting(failure)
      case .failed: .failed(failure)
      }
  }
}
