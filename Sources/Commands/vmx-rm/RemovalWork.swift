import VmxBrowsing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving

/// Passes episodes to the remover, and their results to the reporter.
struct RemovalWork {
  let order: RemovalOrder
  let isDryRun: Bool
  let remover: EpisodeRemover
  let reporter: OutcomeReporter
  let rows: EpisodeRows

  /// Removes the given episodes, or none of them if a line of the input is bad.
  ///
  /// - Throws: errors that concern the whole run: the store, standard output.
  func perform(on items: [GivenEpisodes.Item]) throws {
    guard !items.contains(where: \.isBadLine) else {
      for case .badLine(let failure, let place) in items {
        reporter.reportBadLine(failure, at: place)
      }
      return
    }
    for start in stride(from: 0, to: items.count, by: EpisodeRemover.largestBatch) {
      try remove(Array(items[start...].prefix(EpisodeRemover.largestBatch)))
    }
  }

  private func remove(_ items: [GivenEpisodes.Item]) throws {
    let ids = items.compactMap { item in
      if case .episode(let id, _) = item { id } else { nil }
    }
    var results = try remover.remove(ids, order, isDryRun: isDryRun)[...]
    for item in items {
      switch item {
      case .episode(let id, let received):
        guard let result = results.popFirst() else { break }
        try report(result, of: id, received)
      case .bad(let failure, let operand): try reporter.reportFailure(failure, of: operand)
      case .passing(let object): try reporter.pass(object)
      case .badLine: break
      }
    }
  }

  private func report(
    _ result: Result<RemovalResult, Failure>, of id: EpisodeID, _ received: JSONObject
  ) throws {
    switch result {
    case .success(let result):
      let row = try result.episode.map { try rows.row(of: $0) }
      try reporter.report(
        Self.outcome(of: result), of: (result.episode?.id ?? id).description, episode: row,
        received: received)
    case .failure(let failure) where failure.code == .lockBusy:
      try reporter.report(.waiting(failure), of: id.description, episode: nil, received: received)
    case .failure(let failure):
      try reporter.reportFailure(failure, of: id.description, received: received)
    }
  }

  private static func outcome(of result: RemovalResult) -> Outcome {
    guard let failure = result.failure else {
      return result.isChanged ? .done : .unchanged(hint: nil)
    }
    if case .wait = failure.code.entry.retry { return .waiting(failure) }
    return .failed(failure)
  }
}
