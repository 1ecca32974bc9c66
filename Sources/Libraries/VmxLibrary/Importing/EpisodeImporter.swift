package import VmxModel
package import VmxStore

/// Imports a description into the store: as a new episode, or into the existing one that it
/// describes.
///
/// The existing episode is found by identity keys alone. One match is updated, no match creates an
/// episode, and two matches are `ambiguous`: the importer never guesses.
package struct EpisodeImporter: Sendable {
  /// The effect of a description.
  package enum Verdict: String, Sendable {
    case added, updated, unchanged
  }

  /// An episode with the effect of its description.
  package struct Imported: Sendable {
    /// The episode as recorded.
    package let episode: Episode
    /// The episode as it was recorded before; nil for an added one.
    package var before: Episode?
    /// Whether it was added, updated or left unchanged.
    package let verdict: Verdict
    /// The failure to write the sidecar or the NFO file; nil if both are up to date.
    package var unsaved: Failure?
    /// The message about a removal by the user that the description has lifted; nil if there was
    /// none.
    package let note: String?

    /// Creates a result.
    init(_ episode: Episode, _ verdict: Verdict, before: Episode? = nil, note: String? = nil) {
      self.episode = episode
      self.before = before
      self.verdict = verdict
      self.note = note
    }

    /// Returns the result for the episode as it is after further steps.
    ///
    /// - Parameter unsaved: as the property.
    package func followed(by episode: Episode, unsaved: Failure?) -> Imported {
      var taken = Imported(
        episode, verdict == .unchanged ? .updated : verdict, before: before, note: note)
      taken.unsaved = unsaved
      return taken
    }
  }

  private let description: EpisodeDescription
  private let parts: [Part]
  private let identityKeys: [IdentityKey]
  private let isTyped: Bool
  /// Whether the id of the description is used only if no other episode has it.
  private let proposesID: Bool

  /// Prepares a description for the import; user names and passwords of its URLs are moved to the
  /// secret store.
  ///
  /// - Parameters:
  ///   - more: identity keys in addition to those of the description, such as a file's digest.
  ///   - isTyped: whether the user typed the source. Only then a removal by the user is lifted.
  ///   - catalogue: the origin of the catalogue that the user has configured; a description from a
  ///     catalogue may name other private addresses only there.
  ///   - secrets: the store for user names and passwords; nil for a dry run.
  /// - Throws: errors of writing the secrets.
  package init(
    _ description: EpisodeDescription, and more: [IdentityKey] = [], isTyped: Bool,
    catalogue: String? = nil, secrets: SecretStore?
  ) throws {
    try self.init(
      description, description.identityKeys + more, isTyped: isTyped, proposesID: description.fills,
      isForeign: description.fills, trusted: catalogue, secrets)
  }

  /// Prepares the description of an episode that another library has exported. Its id is a
  /// proposal: if another episode has it, the next free one is used.
  ///
  /// - Parameters:
  ///   - identity: the identity keys, instead of those of the description.
  ///   - isForeign: whether its sources may not refer to loopback or private networks; false for
  ///     those that a program of the user has already requested.
  ///   - secrets: the store for user names and passwords; nil for a dry run.
  /// - Throws: errors of writing the secrets.
  package init(
    exported description: EpisodeDescription, identity: [IdentityKey], isForeign: Bool = true,
    secrets: SecretStore?
  ) throws {
    try self.init(
      description, identity, isTyped: false, proposesID: true, isForeign: isForeign, secrets)
  }

  private init(
    _ description: EpisodeDescription, _ evidence: [IdentityKey], isTyped: Bool,
    proposesID: Bool, isForeign: Bool = false, trusted: String? = nil, _ secrets: SecretStore?
  ) throws {
    self.description = description
    self.identityKeys = evidence
    self.isTyped = isTyped
    self.proposesID = proposesID
    parts = try description.parts.map { described in
      var part = try described.part { url in
        try secrets?.save(Secret(user: url.user ?? "", password: url.password ?? ""))
      }
      if isForeign { part.markForeign(exceptFrom: trusted) }
      return part
    }
  }

  /// Searches the store for possible matches without the write lock. Under the lock, only the lines
  /// that other processes have appended since are searched.
  package func prepare(in store: LibraryStore) throws {
    try store.prepare([description.proposedID], identityKeys)
  }

  /// Returns the id that the episode gets if it is recorded now and matches no existing episode.
  ///
  /// - Throws: `bad-id`, and errors of the store.
  package func newID(in episodes: any EpisodeLookup) throws -> EpisodeID {
    if !proposesID, let id = description.id { return id }
    return try freeID(in: episodes)
  }

  /// Adds or updates the episode in the transaction.
  ///
  /// - Parameters:
  ///   - received: the files of the episode, whose parts are recorded as complete.
  ///   - adjust: called before the episode is recorded, with the episode and its previous state;
  ///     nil for a new one.
  /// - Throws: `ambiguous`, `id-taken`, `no-such-episode`, `expired`, `Superseded` if the received
  ///   files do not fit the episode, and errors of the store.
  package func upsert(
    into transaction: inout StoreTransaction, now: Timestamp, received: Received? = nil,
    adjust: (_ episode: inout Episode, _ before: Episode?) -> Void = { _, _ in }
  ) throws -> Imported {
    let match = try match(in: transaction)
    if description.fills, let show = description.catalogueShow { try transaction.linkShow(show) }
    var episode = try match.episode ?? new(in: transaction, match.keys, now: now)
    let isNew = match.episode == nil
    if let received, !received.matches(episode, isNew: isNew) { throw Superseded() }
    let before = episode
    if !isNew {
      guard episode.want != .gone || isTyped else {
        if received != nil { throw Superseded() }
        return Imported(episode, .unchanged, before: episode)
      }
      try update(&episode, match.keys, now: now)
      try require(in: &episode)
      try checkRating(of: &episode, before, mayRate: transaction.allowsRatingChanges)
    }
    if let received { episode.receive(received, now: now) }
    transaction.withdrawRemoval(of: &episode)
    adjust(&episode, isNew ? nil : before)
    guard isNew || episode != before else { return Imported(before, .unchanged, before: before) }
    try StoreTransaction.checkLength(of: episode)
    if isNew {
      episode.rev = transaction.add(episode)
      return Imported(episode, .added)
    }
    let note = episode.want == .fetch ? before.liftedRemovalNote : nil
    return Imported(transaction.recorded(episode), .updated, before: before, note: note)
  }

  /// Checks a changed age rating. A bundle never changes one, and while parental control applies
  /// neither does a feed or a catalogue.
  ///
  /// - Throws: `parental` for a rating of the user while parental control applies.
  private func checkRating(
    of episode: inout Episode, _ before: Episode, mayRate: Bool
  ) throws(Failure) {
    guard episode.ageRating != before.ageRating else { return }
    let isOfUser = !proposesID && description.feed == nil
    guard mayRate || !isOfUser else {
      throw Failure.ratingProtected(episode.id.description)
    }
    guard !isOfUser, before.ageRating != nil || !mayRate else { return }
    episode.ageRating = before.ageRating
  }

  /// Returns the episode that the description matches; nil if there is none.
  ///
  /// - Throws: `ambiguous`, `id-taken`, `no-such-episode`, and errors of the store.
  package func existing(in library: some EpisodeLookup) throws -> Episode? {
    try match(in: library).episode
  }

  /// Returns the episode that the description matches, or nil. If nil, an id given in the
  /// description is free.
  ///
  /// - Throws: `ambiguous`, `id-taken`, `no-such-episode`, and errors of the store.
  private func match(in library: some EpisodeLookup) throws -> Match {
    let match = try EpisodeMatch(of: description, identityKeys, in: library)
    let matches = match.episodes
    if description.fills, matches.isEmpty, let id = description.id,
      let named = try library.episode(id), !description.contradicts(named)
    {
      return (named, match.keys)
    }
    guard !proposesID, let id = description.id, let named = try library.episode(id) else {
      if description.joining != nil, let id = description.id { throw Failure.noSuchEpisode(id) }
      guard matches.count < 2 else {
        throw Failure(
          .ambiguous, "the description matches '\(matches[0].id)' and '\(matches[1].id)'")
      }
      return (matches.first, match.keys)
    }
    if let other = matches.first(where: { $0.id != named.id }) {
      throw Failure(.ambiguous, "the description matches '\(named.id)' and '\(other.id)'")
    }
    let isAnother =
      matches.isEmpty && description.video != nil && !named.identity.isEmpty
      && description.joining == nil
    if isAnother {
      throw Failure(
        .idTaken, "the id already exists: '\(id)'",
        hint: "choose another id, or run 'vmx add --to \(named.id) URL' to add a source")
    }
    return (named, match.keys)
  }

  /// The matching episode, and the keys that it may keep.
  private typealias Match = (episode: Episode?, keys: [IdentityKey])

  private func new(
    in library: some EpisodeLookup, _ keys: [IdentityKey], now: Timestamp
  ) throws -> Episode {
    var episode = Episode(
      id: try newID(in: library), title: description.resolvedTitle,
      showTitle: description.resolvedShowTitle, added: now, parts: parts)
    episode.identity = keys
    episode.want = description.want ?? (description.fills ? .none : .fetch)
    description.apply(to: &episode)
    try require(in: &episode)
    return episode
  }

  /// Marks the parts that the description requires.
  ///
  /// - Throws: `usage` if the episode has none of them.
  private func require(in episode: inout Episode) throws(Failure) {
    guard let required = description.required else { return }
    let indices = episode.parts.indices.filter { required.contains(episode.parts[$0]) }
    guard !indices.isEmpty else {
      throw Failure(
        .usage, "'\(episode.id)' has none of the required parts",
        hint: "add the part with its URL, such as with --subtitle")
    }
    for index in indices { episode.parts[index].isRequired = true }
  }

  /// Returns the proposed id, with a number from `-2` appended if other episodes have it.
  private func freeID(in episodes: any EpisodeLookup) throws -> EpisodeID {
    let proposed = description.proposedID
    guard try episodes.episode(proposed) != nil else { return proposed }
    guard let show = Slug(valid: proposed.show), let half = Slug(valid: proposed.episode) else {
      throw Failure.notAnID(proposed.description)
    }
    func id(_ number: Int) -> EpisodeID {
      EpisodeID(show: show, episode: half.numbered(number))
    }
    return id(try freeNumber(above: 1) { try episodes.episode(id($0)) != nil })
  }

  /// Overwrites recorded fields with described ones; a field that the description lacks is kept.
  ///
  /// - Throws: `expired` if the episode is requested and may no longer be watched.
  private func update(
    _ episode: inout Episode, _ keys: [IdentityKey], now: Timestamp
  ) throws(Failure) {
    if description.fills { return fill(&episode, keys) }
    description.update(&episode)
    // A source that the user types for a removed episode requests it again.
    let isRemoved = episode.want == .gone || episode.state == .removed
    let want = description.want ?? (isTyped && isRemoved ? .fetch : episode.want)
    if want == .fetch, isRemoved || episode.want != .fetch {
      try episode.add(now: now)
    } else {
      episode.want = want
    }
    episode.addIdentity(keys)
    episode.merge(parts, joining: description.joining, now: now)
  }

  /// Sets the fields that the episode lacks, and adds the parts that it does not have.
  private func fill(_ episode: inout Episode, _ keys: [IdentityKey]) {
    description.fill(&episode)
    episode.addIdentity(keys)
    let names = Set(episode.parts.map(\.name))
    for part in parts where !names.contains(part.name) {
      episode.parts.insert(part, at: part.role == .video ? 0 : episode.parts.count)
    }
  }
}

extension Episode {
  /// Adds identity keys that it does not have.
  fileprivate mutating func addIdentity(_ keys: [IdentityKey]) {
    let known = Set(identity.map(\.key))
    identity += keys.filter { !known.contains($0.key) }.map { .key($0.key) }
  }
}

extension EpisodeDescription {
  /// The show of the catalogue that the description names.
  fileprivate var catalogueShow: LibraryShow? {
    guard let tvmazeShow else { return nil }
    var show = LibraryShow(slug: showSlug.description, title: showTitle)
    show.tvmaze = tvmazeShow
    show.page = "\(CatalogueSource.address)/shows/\(tvmazeShow)"
    return show
  }
}
