package import VmxModel
package import VmxStore

/// Takes a description into the store: as a new episode, or into the one that it means.
///
/// Which one it means is decided by evidence alone. One match updates, none makes a new episode,
/// two are `ambiguous`: nothing is guessed.
package struct EpisodeImporter: Sendable {
  /// What became of a description.
  package enum Verdict: String, Sendable {
    case added, updated, unchanged
  }

  /// An episode with what became of its description.
  package struct Taken: Sendable {
    /// The episode as recorded.
    package let episode: Episode
    /// Whether it is new, changed, or as it was.
    package let verdict: Verdict
    /// Why the sidecar or the NFO file could not be written; nil where they are as they should be.
    package let unsaved: Failure?

    /// An episode with its verdict.
    package init(episode: Episode, verdict: Verdict, unsaved: Failure? = nil) {
      self.episode = episode
      self.verdict = verdict
      self.unsaved = unsaved
    }
  }

  private let description: EpisodeDescription
  private let parts: [Part]
  private let evidence: [IdentityKey]

  /// A description ready to be taken in; users and passwords of its URLs go to the secrets.
  ///
  /// - Parameter more: evidence beside what the description says, such as a file's digest.
  /// - Throws: what writing the secrets throws.
  package init(
    _ description: EpisodeDescription, and more: [IdentityKey] = [], secrets: SecretStore
  ) throws {
    self.description = description
    evidence = description.evidence + more
    parts = try description.parts.map { part in
      try part.part { url in
        try secrets.put(Secret(user: url.user ?? "", password: url.password ?? ""))
      }
    }
  }

  /// Looks for what it may match without the write lock, so that under it only what others have
  /// appended meanwhile is searched.
  package func prepare(in store: LibraryStore) throws {
    try store.prepare([description.proposedID], evidence)
  }

  /// Puts the episode into the transaction.
  ///
  /// - Throws: `ambiguous`, `id-taken`, and what the store throws.
  package func take(into transaction: inout StoreTransaction, now: Timestamp) throws -> Taken {
    guard var episode = try match(in: &transaction) else {
      var episode = try new(in: &transaction, now: now)
      try StoreTransaction.checkLength(of: episode)
      episode.rev = transaction.add(episode)
      return Taken(episode: episode, verdict: .added)
    }
    let before = episode
    update(&episode, now: now)
    try require(in: &episode)
    guard episode != before else { return Taken(episode: before, verdict: .unchanged) }
    try StoreTransaction.checkLength(of: episode)
    return Taken(episode: transaction.recorded(episode), verdict: .updated)
  }

  /// The episode that is meant, if there is one; where there is none, an id that was given is free.
  private func match(in transaction: inout StoreTransaction) throws -> Episode? {
    let matches = Set(transaction.find(evidence)).sorted()
    guard let id = description.id, let named = try transaction.episode(id) else {
      guard matches.count < 2 else {
        throw Failure(.ambiguous, "the description fits '\(matches[0])' and '\(matches[1])'")
      }
      return try matches.first.flatMap { try transaction.episode($0) }
    }
    if let other = matches.first(where: { $0 != named.id }) {
      throw Failure(.ambiguous, "the description fits '\(named.id)' and '\(other)'")
    }
    let isAnother = matches.isEmpty && description.video != nil && !named.identity.isEmpty
    if isAnother { throw Failure(.idTaken, "the id is taken: '\(id)'") }
    return named
  }

  private func new(in transaction: inout StoreTransaction, now: Timestamp) throws -> Episode {
    var episode = Episode(
      id: try description.id ?? freeID(in: &transaction), title: description.resolvedTitle,
      showTitle: description.resolvedShowTitle, added: now, parts: parts)
    episode.identity = evidence
    episode.season = description.season
    episode.number = description.number
    episode.date = description.date
    episode.summary = description.summary
    episode.want = description.want ?? .fetch
    applyMarks(to: &episode)
    try require(in: &episode)
    return episode
  }

  /// Makes parts required that are to be.
  ///
  /// - Throws: `usage` if the episode has none of them.
  private func require(in episode: inout Episode) throws(Failure) {
    guard let required = description.required else { return }
    let indices = episode.parts.indices.filter { required.contains(episode.parts[$0]) }
    guard !indices.isEmpty else {
      throw Failure(
        .usage, "'\(episode.id)' has no part of those that are to be required",
        hint: "add the part with its URL, as by --subtitle")
    }
    for index in indices { episode.parts[index].isRequired = true }
  }

  /// The id proposed, or with `-2`, `-3`, … where other episodes have it.
  private func freeID(in transaction: inout StoreTransaction) throws -> EpisodeID {
    let proposed = description.proposedID
    guard try transaction.episode(proposed) != nil else { return proposed }
    guard let show = Slug(valid: proposed.show), let half = Slug(valid: proposed.episode) else {
      throw Failure.notAnID(proposed.description)
    }
    for number in 2...Int.max {
      let id = EpisodeID(show: show, episode: half.numbered(number))
      if try transaction.episode(id) == nil { return id }
    }
    throw Failure(.idTaken, "the id is taken: '\(proposed)'")
  }

  /// What the description says goes over what is recorded; what it leaves out stays.
  private func update(_ episode: inout Episode, now: Timestamp) {
    let show = description.showTitle ?? description.show
    if let show, show != episode.id.show { episode.showTitle = show }
    if let title = description.title { episode.title = title }
    if let season = description.season { episode.season = season }
    if let number = description.number { episode.number = number }
    if let date = description.date { episode.date = date }
    if let summary = description.summary { episode.summary = summary }
    // Whoever adds by hand what was removed asks for it again.
    let want = description.want ?? (episode.want == .gone ? .fetch : episode.want)
    if want == .fetch, episode.want != .fetch {
      episode.add(now: now)
    } else {
      episode.want = want
    }
    applyMarks(to: &episode)
    let known = Set(episode.identity.map(\.key))
    episode.identity += evidence.filter { !known.contains($0.key) }.map { .key($0.key) }
    episode.merge(parts)
  }

  private func applyMarks(to episode: inout Episode) {
    if let priority = description.priority { episode.priority = priority }
    if let isKept = description.isKept { episode.isKept = isKept }
    if let isWatched = description.isWatched { episode.isWatched = isWatched }
    if let isMeteredOK = description.isMeteredOK { episode.isMeteredOK = isMeteredOK }
    if let expires = description.expires { episode.expires = expires }
  }
}
