package import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

// An id always has a slash, so an operand without one can be the name of a show: its slug or its
// whole title.

/// The episodes of a show for which its name stands as an operand of a tool.
///
/// ```swift
/// let selection = try InputSelection(required: ids, ofShows: .withVideo, in: context)
/// ```
package enum ShowOperand: Sendable {
  /// All episodes that were not removed.
  case present
  /// Those whose video is in the library.
  case withVideo
  /// Those with a licence.
  case withLicence
  /// Those that are due.
  case due(DueRule)

  fileprivate func includes(_ episode: Episode) -> Bool {
    switch self {
    case .present: true
    case .withVideo: episode.publishedVideo != nil
    case .withLicence: episode.hasKey
    case .due(let rule): rule.isDue(episode)
    }
  }

  /// The failure of a show that has episodes, but none that is included.
  fileprivate func failure(of show: String) -> Failure? {
    switch self {
    case .present, .due: nil
    case .withVideo:
      Failure(
        .noFile, "no episode of the show '\(show)' has a file",
        hint: "run 'vmx list --show \(show)' for its episodes")
    case .withLicence:
      Failure(
        .noFile, "no episode of the show '\(show)' has a licence",
        hint: "run 'vmx list --show \(show)' for its episodes")
    }
  }
}

extension CommandContext {
  /// Separates the operands that name shows, for tools whose `--show` applies to the show itself or
  /// to what is due of it.
  ///
  /// - Returns: the slugs of the shows, and the other operands.
  /// - Throws: as `episodes(ofShow:_:)`.
  package func separatingShows(
    in operands: [String]
  ) throws -> (shows: [String], others: [String]) {
    var (shows, others): ([String], [String]) = ([], [])
    for index in operands.indices {
      if let show = try show(named: operands[index...]) {
        shows.append(show.slug)
      } else {
        others.append(operands[index])
      }
    }
    return (shows, others)
  }

  /// Returns the filters to give instead of operands that name shows; nil for other operands.
  ///
  /// - Throws: as `separatingShows(in:)`.
  func hint(forOperandsBesideFilters operands: [String]) throws -> String? {
    let (shows, others) = try separatingShows(in: operands)
    guard others.isEmpty else { return nil }
    return "give " + shows.map { "'--show \($0)'" }.joined(separator: " ") + " with the filters"
  }

  /// Returns the episodes of the show that an operand names, in the order in which they are
  /// watched; nil for an operand that has the form of an id or a URL, or names no show whose
  /// episodes are not all removed.
  ///
  /// - Parameter operands: the operand and those after it.
  /// - Throws: `usage` if the words of an id or a title are separate operands, which must never
  ///   select a whole show; `ambiguous` if several shows have the title; `no-file` if the name
  ///   stands for none of the episodes; errors of reading the store.
  package func episodes(
    ofShow operands: ArraySlice<String>, _ meant: ShowOperand
  ) throws -> [(EpisodeID, text: String)]? {
    guard let (slug, snapshot) = try show(named: operands) else { return nil }
    return try episodes(of: slug, meant, in: snapshot)
  }

  /// Returns the episodes of the show that a row of `vmx list --shows` describes; nil for a row of
  /// another kind.
  ///
  /// - Throws: `no-such-episode` if the library does not have the show; as `episodes(ofShow:_:)`.
  func episodes(ofRow row: JSONObject, _ meant: ShowOperand) throws -> [(EpisodeID, text: String)]?
  {
    guard row["row"]?.string == RowKind.show.rawValue else { return nil }
    guard case .slug(let slug) = try ShowRequest(row), let snapshot = snapshotOfShows(),
      let episodes = try episodes(of: slug, meant, in: snapshot)
    else {
      throw Failure(
        .noSuchEpisode, "the library has no episodes of the show '\(row["id"]?.string ?? "")'",
        hint: "run 'vmx list --shows' for the shows that have episodes")
    }
    return episodes
  }

  private func episodes(
    of slug: String, _ meant: ShowOperand, in snapshot: StoreSnapshot
  ) throws -> [(EpisodeID, text: String)]? {
    var query = EpisodeQuery()
    query.shows = [slug]
    query.wants = Want.present
    var isRemoved = true
    var found: [(order: ShowOrder, id: EpisodeID)] = []
    try snapshot.episodes(matching: query) { episode in
      guard episode.id.show == slug, parental.allows(episode) else { return true }
      isRemoved = false
      if meant.includes(episode) { found.append((ShowOrder(episode), episode.id)) }
      return true
    }
    guard !isRemoved else { return nil }
    if found.isEmpty, let failure = meant.failure(of: slug) { throw failure }
    return found.sorted { $0.order < $1.order }.map { ($0.id, text: $0.id.description) }
  }

  /// Returns the slug of the show that the first operand names, and the snapshot that has it.
  private func show(
    named operands: ArraySlice<String>
  ) throws -> (slug: String, snapshot: StoreSnapshot)? {
    guard let name = operands.first, !name.isEmpty, EpisodeID(typed: name) == nil,
      !WebURL.isMeant(by: name), let snapshot = snapshotOfShows()
    else { return nil }
    if let whole = try wholeName(operands, in: snapshot) {
      throw Failure(
        .usage, "'\(operands[operands.startIndex + 1])' is a word of its own",
        hint: "give \(ShellWord.quoted(whole))")
    }
    return try slug(ofShow: name, in: snapshot).map { ($0, snapshot) }
  }

  /// Returns a snapshot of the library; nil if it cannot be read. The tool, which reads it for its
  /// work, reports why.
  private func snapshotOfShows() -> StoreSnapshot? {
    do {
      return try LibraryStore.open(LibraryHome(home()), clock: clock).snapshot()
    } catch {
      return nil
    }
  }

  /// Returns the id or the title whose words are the first of several operands: an id with a blank
  /// in place of its slash, or a title without quotes; nil if there is none.
  private func wholeName(
    _ operands: ArraySlice<String>, in snapshot: StoreSnapshot
  ) throws -> String? {
    let words = Array(operands.prefix(Self.maxWords))
    guard words.count > 1 else { return nil }
    if let id = EpisodeID(typed: "\(words[0])/\(words[1])"),
      let episode = try snapshot.episode(id), parental.allows(episode)
    {
      return id.description
    }
    for count in 2...words.count {
      let title = words.prefix(count).joined(separator: " ")
      if try !snapshot.slugs(ofShow: title, where: parental.allows).isEmpty { return title }
    }
    return nil
  }

  /// Returns the slug of the show that a name stands for: that slug itself, else the show with this
  /// whole title; nil if there is none.
  private func slug(ofShow name: String, in snapshot: StoreSnapshot) throws -> String? {
    let slugs = try snapshot.slugs(ofShow: name, where: parental.allows)
    if slugs.contains(name.lowercased()) { return name.lowercased() }
    guard slugs.count > 1 else { return slugs.first }
    let names = slugs.map { "'\($0)'" }.joined(separator: ", ")
    throw Failure(
      .ambiguous, "\(slugs.count) shows have the title '\(name)'", hint: "give one of \(names)")
  }

  /// The maximum number of operands that are tried as the words of a title.
  private static let maxWords = 8
}
