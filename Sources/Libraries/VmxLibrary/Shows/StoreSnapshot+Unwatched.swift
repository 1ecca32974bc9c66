package import VmxModel
package import VmxStore

extension StoreSnapshot {
  /// Returns the first unwatched, ready episode of a show: by season and number, else by date, else
  /// in the order of adding. Specials are last.
  ///
  /// - Parameters:
  ///   - show: the slug or the whole title of the show.
  ///   - isAllowed: whether an episode may be played.
  /// - Throws: `no-file` if there is none; errors of reading the store.
  package func nextUnwatched(
    of show: String, where isAllowed: (Episode) -> Bool = { _ in true }
  ) throws -> Episode {
    var query = EpisodeQuery()
    query.shows = [show]
    query.states = [.ready]
    guard let next = try unwatched(1, matching: query, where: isAllowed).first else {
      throw Failure(
        .noFile, "no unwatched episode of '\(show)' has a file",
        hint: "run 'vmx list --show \"\(show)\"' for its episodes")
    }
    return next
  }

  /// Returns up to `count` unwatched episodes, in the order in which they are watched.
  ///
  /// - Parameters:
  ///   - query: the episodes to choose among, of one show.
  ///   - isAllowed: whether an episode may be returned.
  /// - Throws: errors of reading the store.
  package func unwatched(
    _ count: Int, matching query: EpisodeQuery, where isAllowed: (Episode) -> Bool
  ) throws -> [Episode] {
    var query = query
    query.isWatched = false
    var next: [(order: ShowOrder, episode: Episode)] = []
    try episodes(matching: query) { episode in
      guard isAllowed(episode) else { return true }
      let order = ShowOrder(episode)
      let index = next.firstIndex { order < $0.order } ?? next.count
      guard index < count else { return true }
      next.insert((order, episode), at: index)
      if next.count > count { next.removeLast() }
      return true
    }
    return next.map(\.episode)
  }

  /// Returns one of the unwatched, ready episodes at random, each with the same probability.
  ///
  /// - Throws: as `nextUnwatched`.
  package func randomUnwatched(
    using generator: inout some RandomNumberGenerator,
    where isAllowed: (Episode) -> Bool = { _ in true }
  ) throws -> Episode {
    var chosen: Episode?
    var count = 0
    var query = EpisodeQuery()
    query.isWatched = false
    query.states = [.ready]
    try episodes(matching: query) { episode in
      guard isAllowed(episode) else { return true }
      count += 1
      if Int.random(in: 1...count, using: &generator) == 1 { chosen = episode }
      return true
    }
    guard let chosen else {
      throw Failure(
        .noFile, "no unwatched episode has a file", hint: "run 'vmx fetch' to download episodes")
    }
    return chosen
  }
}
