package import VmxModel
package import VmxStore

// The one definition of joining two records of one episode. Each field has the value of the
// stronger source, each mark the newest one, and the record has the identities, sources and files
// of both. Where both have a file, the file of the record that is kept stays.

extension Episode {
  /// Whether the record has no bytes and no request, as one that a list of another program or a
  /// catalogue leaves: no process works on it.
  var isOnlyListed: Bool { want == .none && isBare }

  /// Whether the record has no bytes and is of no feed, as of a URL that the user has added. A
  /// process that has begun to work on it ends with its next step if the record is joined.
  var isBare: Bool {
    [.none, .fetch].contains(want) && text.feed == nil && licence == nil
      && parts.allSatisfy { $0.state == .new && $0.path == nil }
  }

  /// Returns the record with all that another record of the same episode has.
  package func joined(with other: Episode, now: Timestamp) -> Episode {
    var episode = self
    episode.joinDescription(of: other)
    episode.addIdentity(other.identity)
    episode.joinMarks(of: other)
    episode.joinParts(of: other, now: now)
    return episode
  }

  /// Whether two records differ only in what work on the files changes.
  package func isSameRecord(as other: Episode) -> Bool {
    comparable == other.comparable
  }

  private var comparable: Episode {
    var episode = self
    (episode.rev, episode.trail, episode.watchedAt) = (0, [], nil)
    for index in episode.parts.indices { episode.parts[index].verifiedAt = nil }
    return episode
  }

  private mutating func joinMarks(of other: Episode) {
    if want != .fetch, other.want != .none { want = other.want }
    isKept = isKept || other.isKept
    isMeteredOK = isMeteredOK || other.isMeteredOK
    priority = max(priority, other.priority)
    after += other.after.filter { $0 != id && !after.contains($0) }
    folder = folder ?? other.folder
    requestedAgainAt = requestedAgainAt ?? other.requestedAgainAt
    switch (watchedAt, other.watchedAt) {
    case (let own?, let their?) where own >= their: break
    case (_?, nil): break
    case (_, _?): (isWatched, watchedAt) = (other.isWatched, other.watchedAt)
    case (nil, nil): isWatched = isWatched || other.isWatched
    }
  }

  private mutating func joinParts(of other: Episode, now: Timestamp) {
    for part in other.parts where part.state != .removed {
      var part = part
      if !part.hasFile {
        // Its unfinished bytes are kept under the other id.
        part.clearBytes()
        part.enter(.new)
      }
      if let index = parts.firstIndex(where: { $0.name == part.name }), part.hasFile,
        !parts[index].hasFile
      {
        let own = parts[index]
        part.isRequired = part.isRequired || own.isRequired
        replacePart(at: index, by: part, now: now)
        part = own
      }
      merge([part], now: now)
    }
  }
}

extension StoreTransaction {
  /// Joins the record of an episode that has no bytes into another one, and makes its id an alias.
  mutating func join(_ other: Episode, into episode: inout Episode) {
    episode = episode.joined(with: other, now: now)
    joinPosition(of: other, into: episode.id)
    delete(.episode, other.id.description)
    delete(.position, other.id.description)
    writeAlias(other.id, episode.id)
  }

  /// Copies the playback position of an episode to another one that has none, or an older one.
  package mutating func joinPosition(of other: Episode, into id: EpisodeID) {
    guard let position = playbackPosition(of: other.id),
      position.at > playbackPosition(of: id)?.at ?? Timestamp(milliseconds: .min)
    else { return }
    write(StoredRecord(kind: .position, id: id.description, fields: position.record))
  }
}
