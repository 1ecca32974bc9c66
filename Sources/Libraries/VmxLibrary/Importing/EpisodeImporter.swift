package import VmxModel
package import VmxStore

/// Imports a description into the store: as a new episode, or into the existing one that it
/// describes.
///
/// The table of evidence decides which episode that is (`EpisodeMatch`). One match is updated, no
/// match creates an episode, and two matches are `ambiguous`: the importer never guesses.
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
    /// The message about a removal by the user that the description has lifted, or about a new
    /// version that was not taken; nil if there is none.
    package let note: String?
    /// The episode that an item of a feed probably is, so that it is not wanted; nil for none.
    package var likely: EpisodeID?

    /// Creates a result.
    init(_ episode: Episode, _ verdict: Verdict, before: Episode? = nil, note: String? = nil) {
      self.episode = episode
      self.before = before
      self.verdict = verdict
      self.note = note
    }

    /// Whether a known episode was changed.
    package var isChange: Bool { verdict == .updated && before != nil }

    /// The message that names the known values that were replaced; nil if there are none.
    package var replacement: String? {
      guard verdict == .updated, let before else { return nil }
      var changed: [String] = []
      if before.title != episode.title { changed.append("title '\(before.title)'") }
      if before.showTitle != episode.showTitle { changed.append("show '\(before.showTitle)'") }
      if let season = before.season, season != episode.season { changed.append("season \(season)") }
      if let number = before.number, number != episode.number { changed.append("number \(number)") }
      if let date = before.date, date != episode.date { changed.append("date \(date)") }
      guard !changed.isEmpty else { return nil }
      return "changed '\(episode.id)', which had \(changed.joined(separator: ", "))"
    }

    /// Returns the result of a description that changes nothing.
    package static func unchanged(_ episode: Episode) -> Imported {
      Imported(episode, .unchanged, before: episode)
    }

    /// Returns the result for the episode as it is after further steps.
    ///
    /// - Parameter unsaved: as the property.
    package func followed(by episode: Episode, unsaved: Failure?) -> Imported {
      var taken = Imported(
        episode, verdict == .unchanged ? .updated : verdict, before: before, note: note)
      taken.unsaved = unsaved
      taken.likely = likely
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
    self.description = description
    identityKeys = description.identityKeys + more
    parts = try Self.parts(
      of: description, isForeign: description.fills, trusted: catalogue, secrets: secrets)
    self.isTyped = isTyped
    proposesID = description.fills
  }

  /// Prepares the description of an episode that another library has exported. Its id is a
  /// proposal: if another episode has it, the next free one is used.
  ///
  /// - Parameters:
  ///   - identityKeys: the identity keys, instead of those of the description.
  ///   - isForeign: whether its sources may not refer to loopback or private networks; false for
  ///     those that a program of the user has already requested.
  ///   - secrets: the store for user names and passwords; nil for a dry run.
  /// - Throws: errors of writing the secrets.
  package init(
    exported description: EpisodeDescription, identityKeys: [IdentityKey], isForeign: Bool = true,
    secrets: SecretStore?
  ) throws {
    self.description = description
    self.identityKeys = identityKeys
    parts = try Self.parts(of: description, isForeign: isForeign, secrets: secrets)
    isTyped = false
    proposesID = true
  }

  /// Returns the parts of a description, after saving the passwords of their URLs.
  private static func parts(
    of description: EpisodeDescription, isForeign: Bool, trusted: String? = nil,
    secrets: SecretStore?
  ) throws -> [Part] {
    try description.parts.map { described in
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
    let match = try EpisodeMatch(of: description, identityKeys, in: episodes)
    return try freeID(match.description.proposedID, in: episodes)
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
    if description.fills, let show = description.catalogueShow {
      try transaction.describe(show, from: .feed, isCompletion: true)
    }
    if let known = match.episode, match.description.isNewVersion(of: known) {
      return try description.versionRule == .keep
        ? decline(match.description, of: known, in: &transaction)
        : addVersion(match, of: known, in: &transaction, now: now, adjust)
    }
    var episode = try match.episode ?? new(in: transaction, match, now: now)
    let isNew = match.episode == nil
    if let received, !received.matches(episode, isNew: isNew) { throw Superseded() }
    let before = episode
    if !isNew {
      guard episode.want != .gone || isTyped else {
        if received != nil { throw Superseded() }
        return Imported(episode, .unchanged, before: episode)
      }
      try update(&episode, match, now: now)
      for other in match.listed { transaction.join(other, into: &episode) }
      try require(in: &episode)
      try checkRating(of: &episode, before, mayRate: transaction.allowsRatingChanges)
    }
    if let received { episode.receive(received, now: now) }
    transaction.withdrawRemoval(of: &episode)
    adjust(&episode, isNew ? nil : before)
    episode.recordTimes(ofValuesSince: before, at: now)
    let likely = isNew && description.feed != nil ? match.likely : nil
    if likely != nil, episode.want == .fetch { episode.want = .none }
    try describeShow(of: episode, match.description, isNew: isNew, in: &transaction)
    episode = transaction.titled(episode)
    guard isNew || episode != before else { return Imported(before, .unchanged, before: before) }
    try StoreTransaction.checkLength(of: episode)
    if isNew {
      var added = Imported(transaction.recorded(episode, isNew: true), .added)
      added.likely = likely
      return added
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

  /// Returns the episode that the description matches, or nil. If nil, an id given in the
  /// description is free.
  ///
  /// - Throws: `ambiguous`, `id-taken`, `no-such-episode`, and errors of the store.
  func match(in library: some EpisodeLookup) throws -> Match {
    let found = try EpisodeMatch(of: description, identityKeys, in: library)
    let (matches, description) = (found.episodes, found.description)
    func match(_ episode: Episode?) -> Match {
      Match(
        episode, keys: found.keys, description: description, likely: found.likely.first?.id,
        listed: found.listed)
    }
    if description.fills, matches.isEmpty, let id = description.id,
      let named = try library.episode(id), !description.contradicts(named)
    {
      return match(named)
    }
    guard !proposesID, let id = description.id, let named = try library.episode(id) else {
      if description.joining != nil, let id = description.id { throw Failure.noSuchEpisode(id) }
      if !proposesID, let id = description.id, let other = matches.first?.id,
        let row = found.row, row.verdict == .same, row <= .dayAndTitle
      {
        throw Failure(
          .idMismatch, "the source belongs to '\(other)', not to '\(id)'",
          hint: "give '--to \(other)', or run 'vmx rename \(other) \(id)'")
      }
      // An id that the user gives outweighs evidence that is only likely, and names of files.
      if !proposesID, description.id != nil { return match(nil) }
      guard matches.count < 2 else {
        throw Failure(
          .ambiguous, "the description matches '\(matches[0].id)' and '\(matches[1].id)'")
      }
      return match(matches.first)
    }
    if let other = matches.first(where: { $0.id != named.id }) {
      throw Failure(.ambiguous, "the description matches '\(named.id)' and '\(other.id)'")
    }
    let isAnother =
      matches.isEmpty && description.video != nil && description.joining == nil
      && named.identity.contains { !$0.isOfRecord }
    if isAnother {
      throw Failure(
        .idTaken, "the id already exists: '\(id)'",
        hint: "choose another id, or run 'vmx add --to \(named.id) URL' to add a source")
    }
    return match(named)
  }

  struct Match {
    /// The matching episode.
    let episode: Episode?
    /// The keys that it may keep.
    let keys: [IdentityKey]
    /// The description, with the slug of its show.
    let description: EpisodeDescription
    /// The episode that the description probably is.
    let likely: EpisodeID?
    /// Further records of the episode, which are joined with it.
    let listed: [Episode]

    init(
      _ episode: Episode?, keys: [IdentityKey], description: EpisodeDescription,
      likely: EpisodeID? = nil, listed: [Episode] = []
    ) {
      self.listed = listed
      (self.episode, self.keys, self.description) = (episode, keys, description)
      self.likely = likely
    }
  }

  private func new(
    in library: some EpisodeLookup, _ match: Match, now: Timestamp
  ) throws -> Episode {
    let description = match.description
    let id =
      try !proposesID && description.id != nil
      ? description.proposedID : freeID(description.proposedID, in: library)
    var episode = Episode(
      id: id, title: description.resolvedTitle, showTitle: description.resolvedShowTitle,
      added: now, parts: parts)
    episode.identity = match.keys
    if !ShowOwners(library).hasOwner(id.show) {
      episode.identity.append(.showOwner(id.show))
      if let plain = EpisodeSigns.withoutYear(slug: id.show) {
        episode.identity.append(.namesake(of: plain.description))
      }
    }
    episode.want = description.want ?? (description.fills ? .none : .fetch)
    description.apply(to: &episode, isNew: true)
    try require(in: &episode)
    return episode
  }

  /// Adds another version of an episode as an episode of its own, which gets the item of the feed.
  private func addVersion(
    _ match: Match, of known: Episode, in transaction: inout StoreTransaction, now: Timestamp,
    _ adjust: (inout Episode, Episode?) -> Void
  ) throws -> Imported {
    var earlier = known
    let items = Set(identityKeys.filter { $0.kind == .item })
    earlier.identity.removeAll { items.contains($0) }
    transaction.write(earlier)
    var episode = try new(in: transaction, match, now: now)
    episode.addIdentity(identityKeys.filter { items.contains($0) })
    if description.versionRule == .fetch { episode.identity.append(.replacement(of: known.id)) }
    adjust(&episode, nil)
    episode.want = .fetch
    try describeShow(of: episode, match.description, isNew: true, in: &transaction)
    try StoreTransaction.checkLength(of: episode)
    return Imported(transaction.recorded(episode, isNew: true), .added)
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
  private func freeID(
    _ proposed: EpisodeID, in episodes: any EpisodeLookup
  ) throws -> EpisodeID {
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
  private func update(_ episode: inout Episode, _ match: Match, now: Timestamp) throws(Failure) {
    var description = match.description
    // The id that a typed description names says nothing new.
    let own = IdentityKey.ownID(episode.id)
    let keys = isTyped ? match.keys.filter { $0 != own } : match.keys
    if description.fills { return fill(&episode, keys) }
    // The first feed keeps the episode; another one only adds its sources.
    if let feed = episode.feed, description.feed != nil, description.feed != feed {
      description.fills = true
    }
    description.apply(to: &episode)
    // A source that the user types for an episode is a request.
    let isRemoved = episode.want == .gone || episode.state == .removed
    let isRequest = isTyped && (isRemoved || (episode.want == .none && description.video != nil))
    let want = description.want ?? (isRequest ? .fetch : episode.want)
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
    description.apply(to: &episode)
    episode.addIdentity(keys)
    let names = Set(episode.parts.map(\.name))
    for part in parts where !names.contains(part.name) {
      episode.parts.insert(part, at: part.role == .video ? 0 : episode.parts.count)
    }
  }
}
