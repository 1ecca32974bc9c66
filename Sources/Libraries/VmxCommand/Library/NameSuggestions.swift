package import VmxModel
package import VmxStore
import VmxSystem

// A typed name without a match is reported with the most similar names. The whole library is
// searched only in that case.

extension StoreSnapshot {
  /// Returns the failure for a typed show without episodes; nil if it has one.
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
      .noSuchEpisode, "no episodes of the show '\(name)'",
      hint: Self.hint(suggestions(for: name.lowercased(), among: shows)))
  }

  /// Returns the failure for a typed prefix without a matching id; nil if one matches.
  func failure(ofPrefix prefix: String) -> Failure? {
    var isKnown = false
    summaries(.stateFields) { summary in
      isKnown = summary.id.description.hasPrefix(prefix)
      return !isKnown
    }
    guard !isKnown else { return nil }
    let near = namesNear(prefix) { $0.starts(with: $1) }
    return Failure(.noSuchEpisode, "no id begins with '\(prefix)'", hint: Self.hint(near))
  }

  /// Returns the failure for a typed id without an episode: that its record is damaged, or with a
  /// hint, the most similar ids or the show.
  ///
  /// - Parameter stage: the name of the tool without `vmx-`.
  func failure(ofID text: String, in stage: String) -> Failure {
    if let id = EpisodeID(typed: text), isDamaged(id) {
      return Failure(
        .lineDamaged, "cannot read the record of '\(id)' in the store",
        hint: "run 'vmx doctor' for details, then 'vmx doctor --mend' to repair")
    }
    let failure = Failure.noSuchEpisode(text)
    if let hint = Self.hint(forList: text) {
      return Failure(failure.code, failure.summary, hint: hint)
    }
    let name = text.lowercased()
    if stage == "fetch", !shows.contains(name), SourceAdvice.withScheme(text) != nil {
      return SourceAdvice.guessing(failure, of: text)
    }
    let names = namesNear(name, ==)
    guard let near = names.first else { return failure }
    let hint = near.contains("/") ? Self.hint(names) : Self.hint(toShow: near, for: name)
    return Failure(failure.code, failure.summary, hint: hint)
  }

  /// Returns the hint that names a show.
  private static func hint(toShow show: String, for typed: String) -> String {
    if typed == show {
      return
        "all episodes of the show are removed; run 'vmx list --all --show \(show)' for their ids"
    }
    return typed.hasPrefix("\(show)/")
      ? "run 'vmx list \(show)' for the ids of the show" : "did you mean the show '\(show)'?"
  }

  /// Returns the hint for a text that selects several episodes in another program; nil for any
  /// other text.
  private static func hint(forList text: String) -> String? {
    if text.contains(",") { return "separate ids by blanks" }
    if units.contains(text.lowercased()) {
      return "quote a value with its unit, such as '2 \(text)'"
    }
    guard text.contains(where: "*?[".contains), !text.contains(":") else { return nil }
    return "ids have no patterns; select with '--show SHOW' or '--all', see 'vmx list --help'"
  }

  /// The units of sizes, rates and durations that are words of their own.
  private static let units: Set = [
    "k", "m", "g", "kb", "mb", "gb", "kib", "mib", "gib", "kb/s", "mb/s", "kib/s", "mib/s",
    "s", "h", "d", "w", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days",
    "week", "weeks",
  ]

  private static func hint(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return "did you mean \(list)?"
  }

  /// The slugs of all shows.
  private var shows: [String] {
    var slugs: Set<String> = []
    summaries(.stateFields) { summary in
      slugs.insert(summary.id.show)
      return true
    }
    return slugs.sorted()
  }

  /// Returns the ids that are similar to an id or its prefix, in its show or, if that is unknown,
  /// in shows with similar names; ids of the same name are preferred. Without any, returns the show
  /// or these shows.
  ///
  /// - Parameter agree: whether the numbers in a name agree with the typed ones: another number is
  ///   another episode, not a typing error.
  private func namesNear(_ text: String, _ agree: ([Substring], [Substring]) -> Bool) -> [String] {
    let show = String(text.prefix { $0 != "/" })
    let name = text.dropFirst(show.count)
    let known = shows
    let near = known.contains(show) ? [show] : suggestions(for: show, among: known)
    guard name.count > 1, !near.isEmpty else { return near }
    let typed = Self.numbers(in: name)
    let ids = ids(of: near).filter {
      typed.isEmpty || agree(Self.numbers(in: $0.drop { $0 != "/" }), typed)
    }
    let exact = near.map { $0 + name }.filter(Set(ids).contains)
    guard exact.isEmpty else { return exact }
    let similar = near.flatMap { suggestions(for: $0 + name, among: ids) }
    return similar.isEmpty ? near : Array(similar.prefix(3))
  }

  /// The groups of digits in a name, without leading zeros.
  private static func numbers(in name: Substring) -> [Substring] {
    name.split { !$0.isNumber }.map { $0.drop { $0 == "0" } }
  }

  /// The ids of the given shows. Comparing two names takes microseconds, so only a part of a very
  /// large show is returned.
  private func ids(of shows: [String]) -> [String] {
    var ids: [String] = []
    summaries(.stateFields) { summary in
      if shows.contains(summary.id.show) { ids.append(summary.id.description) }
      return ids.count < 20_000
    }
    return ids
  }
}

extension FilterOptions {
  /// Checks that no operand is a word of a show's title that was typed without quotes.
  ///
  /// - Throws: `usage`, with the quoted title as hint; the errors of the store.
  package func checkQuotes(
    _ operands: [String], in snapshot: @autoclosure () throws -> StoreSnapshot,
    _ context: CommandContext
  ) throws {
    guard let first = show.last, let second = operands.first, !context.parental.applies else {
      return
    }
    let snapshot = try snapshot()
    var title = first
    for word in operands {
      title += " \(word)"
      guard try snapshot.failure(ofShow: title) == nil else { continue }
      throw Failure(
        .usage, "'\(second)' is not an id",
        hint: "quote the title: --show \(ShellWord.quoted(title))")
    }
  }

  /// Checks that each typed show has an episode.
  ///
  /// - Throws: `no-such-episode` for the first show without one; the errors of the store.
  package func requireShows(
    in snapshot: @autoclosure () throws -> StoreSnapshot, _ context: CommandContext
  ) throws {
    guard !show.isEmpty else { return }
    try context.requireShows(show, in: snapshot())
  }
}

extension CommandContext {
  /// Checks that each typed show has an episode, as `FilterOptions.requireShows`.
  package func requireShows(_ names: [String], in snapshot: StoreSnapshot) throws {
    for name in names {
      guard let failure = try snapshot.failure(ofShow: name) else { continue }
      throw parental.applies ? Failure(failure.code, failure.summary) : failure
    }
  }
}

extension LibraryView {
  /// Prints a note about a typed prefix without episodes, for tools that only print; in an empty
  /// library, a note about the first steps.
  package func noteEmptiness(prefix: String, in context: CommandContext) {
    guard !context.parental.applies else { return }
    if !prefix.isEmpty, let failure = snapshot.failure(ofPrefix: prefix) {
      context.messages.note("\(failure.summary); \(failure.hint)")
    } else if !context.isJSON, !snapshot.hasEpisodes {
      context.messages.note(Toolbox.firstSteps)
    }
  }
}

extension CommandContext {
  /// Adds a hint to the failure of a typed id, if the library can be read and has no such episode.
  package func guessing(_ failure: Failure, of text: String) -> Failure {
    guard failure.code == .noSuchEpisode, !parental.applies else { return failure }
    do {
      let snapshot = try LibraryStore.open(LibraryHome(home()), clock: clock).snapshot()
      // The failure is then about another id, such as a predecessor of this episode.
      if let id = EpisodeID(typed: text), try snapshot.episode(id) != nil { return failure }
      return self.failure(ofID: text, in: snapshot)
    } catch {
      return hint(forOperand: text).map { Failure(failure.code, failure.summary, hint: $0) }
        ?? failure
    }
  }

  /// Returns the failure for a typed id without an episode, with a hint by what the text is, else
  /// by what is similar to it.
  func failure(ofID text: String, in snapshot: StoreSnapshot) -> Failure {
    let failure = snapshot.failure(ofID: text, in: stage)
    guard failure.code != .lineDamaged, let hint = hint(forOperand: text) else { return failure }
    return Failure(failure.code, Failure.noSuchEpisode(text).summary, hint: hint)
  }

  /// Prints a note if the library does not exist yet, with its path.
  func noteMissingLibrary(at home: LibraryHome) {
    guard !isFolder(home.folder) else { return }
    messages.note("no library at '\(home.folder)' yet")
  }
}
