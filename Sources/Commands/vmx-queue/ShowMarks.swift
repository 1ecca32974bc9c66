import VmxCommand
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore

/// Marks whole shows, including their future episodes.
struct ShowMarks {
  let editor: QueueEditor
  let isDryRun: Bool
  let reporter: OutcomeReporter

  /// Allows or forbids a metered network for shows, and reports each by its slug.
  ///
  /// - Parameter names: slugs or whole titles.
  /// - Throws: errors that concern the whole run.
  func set(_ isSet: Bool, of names: [String], in snapshot: StoreSnapshot) throws {
    for name in names {
      let slugs = try slugs(of: name, in: snapshot)
      if slugs.isEmpty {
        try reporter.reportFailure(
          Failure(.noSuchEpisode, "no episode is of the show '\(name)'"), of: name)
      }
      for slug in slugs {
        let isChanged = try editor.mark(show: slug, meteredOK: isSet, isDryRun: isDryRun)
        try reporter.report(isChanged ? .done : .unchanged(hint: nil), of: slug, episode: nil)
      }
    }
  }

  private func slugs(of name: String, in snapshot: StoreSnapshot) throws -> [String] {
    var query = EpisodeQuery()
    query.shows = [name]
    var slugs: Set<String> = []
    try snapshot.episodes(matching: query) { episode in
      slugs.insert(episode.id.show)
      return true
    }
    return slugs.sorted()
  }
}
