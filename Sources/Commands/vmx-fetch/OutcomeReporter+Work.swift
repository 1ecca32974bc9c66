import VmxBrowsing
import VmxCommand
import VmxEngine
import VmxModel
import VmxPresentation

extension OutcomeReporter {
  /// Reports the outcome of the work on an episode, and runs its hook. Interrupted work has no
  /// outcome yet and is not reported.
  func report(
    _ ended: EpisodeOutcome, of item: WorkItem, rows: EpisodeRows, hooks: Hooks
  ) throws {
    guard !ended.wasInterrupted else { return }
    let episode = try ended.episode.map { try rows.row(of: $0) }
    let outcome = Outcome(ended)
    let row = try report(
      outcome, of: ended.id.description, episode: episode, received: item.row ?? JSONObject())
    hooks.follow(outcome, of: ended.id, row, episode: episode)
  }
}

extension EpisodeOutcome {
  /// A line for each optional part that could not be fetched, and one for a sidecar that was not
  /// written.
  var notes: [String] {
    lacking + (unsaved.map { ["what belongs beside '\(id)' is not written: \($0.summary)"] } ?? [])
  }

  private var lacking: [String] {
    guard word == .done, let episode else { return [] }
    return episode.parts.filter { !$0.isRequired && $0.code != nil }.map { part in
      let code = part.code?.rawValue ?? ""
      return "'\(id)' lacks '\(part.name)' [\(code)]: \(part.message ?? part.state.rawValue)"
    }
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
