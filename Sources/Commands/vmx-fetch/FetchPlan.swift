import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore

/// Reports what `vmx fetch` would fetch, from the records alone, without requests or writes.
struct FetchPlan {
  let store: LibraryStore
  let options: WorkOptions
  let rule: DueRule
  let query: EpisodeQuery
  /// Whether failed parts of the matching episodes would be retried.
  let isRequested: Bool
  /// The episodes whose removals are newer than the store, which a fetch takes over first.
  let removed: Set<EpisodeID>
  let reporter: RowReporter<OutcomeRow>

  /// Reports each episode as planned, or as unchanged if no part of it is due.
  ///
  /// - Parameter input: the episodes of operands or rows; without any, all due episodes.
  /// - Throws: errors of the store and of the input; `output-failed`.
  func perform(_ input: FetchInput, in context: CommandContext) throws {
    let rows = EpisodeRows(of: store, in: context)
    guard input.namesEpisodes else {
      var query = query
      if query.wants.isEmpty { query.wants = [.fetch] }
      query.due = nil
      func report(_ episode: Episode) throws -> Bool {
        if !removed.contains(episode.id),
          options.amount(of: episode, by: rule, asked: isRequested) != nil
        {
          try reporter.report(EpisodeResult(episode, .planned), rows, flushing: false)
        }
        return true
      }
      let snapshot = try store.snapshot()
      // Permanently failed episodes are not in the queue.
      guard isRequested else {
        return try snapshot.queue(of: rule, matching: query) { try report($1) }
      }
      return try snapshot.episodes(matching: query, report)
    }
    try input.forEach { id, episode, row in
      guard let episode = try episode ?? store.snapshot().episode(id) else {
        return try reporter.reportFailure(
          Failure.noSuchEpisode(id), of: "\(id)", received: row.received)
      }
      try reporter.report(
        result(for: episode, isTyped: row.position == nil), rows, received: row.received,
        flushing: false)
    }
  }

  /// Returns the result for a requested episode, as the request would leave it.
  private func result(for episode: Episode, isTyped: Bool) -> EpisodeResult {
    var episode = episode
    if removed.contains(episode.id) { episode.want = .gone }
    if episode.want == .hold || episode.want == .gone && !isTyped {
      return EpisodeResult(unwanted: episode)
    }
    var requested = episode
    if options.requestsEpisode {
      do throws(Failure) {
        try requested.request(isTyped: isTyped, now: rule.now)
      } catch {
        return EpisodeResult(episode, OperationResult(error))
      }
    }
    let isDue = options.amount(of: requested, by: rule, asked: true) != nil
    return EpisodeResult(episode, isDue ? .planned : .unchanged())
  }
}
