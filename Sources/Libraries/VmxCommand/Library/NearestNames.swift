import VmxModel
package import VmxStore
import VmxSystem

// A name that the user typed and that fits nothing is told, with the nearest names there are. The
// whole library is searched for these only then.

extension StoreSnapshot {
  /// Returns the failure of a typed show to which no episode belongs; nil if one does.
  ///
  /// - Throws: the errors of the store.
  func failure(ofShow name: String) throws -> Failure? {
    var query = EpisodeQuery()
    query.shows = [name]
    var isKnown = false
    try episodes(matching: query) { _ in
      isKnown = true
      return false
    }
    guard !isKnown else { return nil }
    return Failure(
      .noSuchEpisode, "no episode is of the show '\(name)'",
      hint: Self.hint(suggestions(for: name.lowercased(), among: shows)))
  }

  /// Returns the failure of a typed prefix with which no id begins; nil if one does.
  func failure(ofPrefix prefix: String) -> Failure? {
    var isKnown = false
    summaries(.standing) { summary in
      isKnown = summary.id.description.hasPrefix(prefix)
      return !isKnown
    }
    guard !isKnown else { return nil }
    return Failure(
      .noSuchEpisode, "no id begins with '\(prefix)'", hint: Self.hint(namesNear(prefix)))
  }

  /// Returns the failure of a typed id that names no episode, with the way to what was meant: the
  /// episodes of a show, or the nearest ids.
  ///
  /// - Parameter stage: the name of the tool without `vmx-`.
  func failure(ofID text: String, in stage: String) -> Failure {
    let failure = Failure.noSuchEpisode(text)
    let show = text.lowercased()
    if !show.contains("/"), shows.contains(show) {
      let tool = Self.toolsWithFilters.contains(stage) ? stage : "list"
      return Failure(
        failure.code, failure.summary,
        hint: "'\(show)' is a show: 'vmx \(tool) --show \(show)' takes its episodes")
    }
    if stage == "fetch", SourceAdvice.withScheme(text) != nil {
      return SourceAdvice.guessing(failure, of: text)
    }
    let names = namesNear(show)
    return names.isEmpty ? failure : Failure(failure.code, failure.summary, hint: Self.hint(names))
  }

  /// The tools that take filters, so that their `--show` means all episodes of a show.
  private static let toolsWithFilters: Set = [
    "list", "fetch", "queue", "rm", "verify", "export",
  ]

  private static func hint(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return "the nearest \(names.count == 1 ? "is" : "are") \(list)"
  }

  /// The slugs of all shows.
  private var shows: [String] {
    var slugs: Set<String> = []
    summaries(.standing) { summary in
      slugs.insert(summary.id.show)
      return true
    }
    return slugs.sorted()
  }

  /// Returns the ids near an id or the beginning of one: those of its show, or else the shows with
  /// a near name.
  private func namesNear(_ text: String) -> [String] {
    let show = String(text.prefix { $0 != "/" })
    let known = shows
    guard known.contains(show), show.count < text.count else {
      return suggestions(for: show, among: known)
    }
    // The comparison of two names takes microseconds, so a very large show is searched in part.
    var ids: [String] = []
    summaries(.standing) { summary in
      if summary.id.show == show { ids.append(summary.id.description) }
      return ids.count < 20_000
    }
    return suggestions(for: text, among: ids)
  }
}

extension FilterOptions {
  /// Checks that each typed show has an episode, for tools that act on what they select.
  ///
  /// - Throws: `no-such-episode` for the first that has none; the errors of the store.
  package func requireShows(
    in snapshot: @autoclosure () throws -> StoreSnapshot, _ context: CommandContext
  ) throws {
    guard !show.isEmpty else { return }
    let snapshot = try snapshot()
    for name in show {
      guard let failure = try snapshot.failure(ofShow: name) else { continue }
      throw context.parental.applies ? Failure(failure.code, failure.summary) : failure
    }
  }
}

extension LibraryView {
  /// Notes typed shows and a typed prefix that fit no episode, for tools that only print; in an empty
  /// library, how to begin.
  ///
  /// - Throws: the errors of the store.
  package func noteUnknownNames(
    _ filters: FilterOptions, prefix: String, in context: CommandContext
  ) throws {
    guard !context.parental.applies else { return }
    var failures = try filters.show.compactMap { try snapshot.failure(ofShow: $0) }
    let misfit = prefix.isEmpty ? nil : snapshot.failure(ofPrefix: prefix)
    if let misfit { failures.append(misfit) }
    for failure in failures { context.messages.note("\(failure.summary); \(failure.hint)") }
    if failures.isEmpty, !context.isJSON, !snapshot.hasEpisodes {
      context.messages.note(
        "to begin: 'vmx add URL' and 'vmx fetch', or 'vmx add FILE'; 'man vmx' tells more")
    }
  }
}

extension CommandContext {
  /// Adds to the failure of a typed id the way to what was meant, if the library can be read.
  func guessing(_ failure: Failure, of text: String) -> Failure {
    guard failure.code == .noSuchEpisode, !parental.applies, let home = try? home(),
      let snapshot = try? LibraryStore.open(LibraryHome(home), clock: clock).snapshot()
    else { return failure }
    return snapshot.failure(ofID: text, in: stage)
  }

  /// Notes that there is no library yet, and where it would be.
  func noteMissingLibrary(at home: LibraryHome) {
    guard !isFolder(home.folder) else { return }
    messages.note("the library is empty: there is none at '\(home.folder)' yet")
  }
}
