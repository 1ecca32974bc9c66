import SystemPackage
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// The files that are named after ids are renamed first, then one transaction gives all episodes
// their ids, with the journal entry by which `vmx undo` takes it back. A crash in between leaves
// partial files under the new names: the repeated command completes the renaming, as for one
// episode.

/// Gives a show another slug, another title, or both.
///
///     let renaming = ShowRenaming(store, run, claimTimeout: 0)
///     let renamed = try renaming.rename("girls", to: slug, title: "Girls (2012)")
package struct ShowRenaming: Sendable {
  /// The number of episodes up to which each one is claimed, so that work on other shows goes on.
  private static let maxClaims = 256

  private let store: LibraryStore
  private let run: Operation
  private let claimTimeout: Int64

  /// Creates a renaming in a library.
  ///
  /// - Parameter claimTimeout: the maximum wait, in milliseconds, for a process that works on one
  ///   of the episodes.
  package init(_ store: LibraryStore, _ run: Operation, claimTimeout: Int64) {
    (self.store, self.run, self.claimTimeout) = (store, run, claimTimeout)
  }

  /// Renames a show; durable on return.
  ///
  /// - Parameters:
  ///   - new: the new slug; nil to keep it.
  ///   - title: the new title; empty to give the title back to the feed; nil to keep it.
  ///   - undoing: the journal entry that this takes back.
  /// - Returns: the show, and whether anything has changed.
  /// - Throws: `id-taken` if another show has the slug, `lock-busy` while a process works on one of
  ///   the episodes, and errors of the store and the file system; then nothing is changed.
  package func rename(
    _ slug: String, to new: Slug?, title: String?, undoing: JournalEntry? = nil
  ) throws -> (show: LibraryShow, isChanged: Bool) {
    let target = new?.description ?? slug
    if target == slug {
      let result = try store.update(.durable) {
        try record(slug, to: target, title: title, undoing: undoing, in: &$0)
      }
      ShowSidecar.refresh(slug, on: MediaRoots(store: store))
      return result
    }
    try store.prepareForMany()
    let snapshot = try store.snapshot()
    let episodes = try self.episodes(of: slug, in: snapshot)
    try checkFree(target, in: snapshot)
    if store.isDryRun {
      return (LibraryShow(slug: target, title: episodes.first?.showTitle), true)
    }
    let release = try claim(episodes, target)
    defer { release() }
    let present = try self.episodes(of: slug, in: store.snapshot())
    let named = undoing?.show?.before.title ?? title ?? snapshot.readableShow(slug)?.title
    let files = EpisodeFilesOfShow(
      present, of: slug, as: LibraryShow(slug: target, title: named),
      roots: snapshot.rootFolders.map(\.folder))
    do {
      try files.rename()
      let result = try store.update(.durable) {
        try record(
          slug, to: target, title: title, undoing: undoing, claimed: present.map(\.id), in: &$0)
      }
      files.removeOld()
      ShowSidecar.move(slug, to: target, on: MediaRoots(store: store))
      return result
    } catch {
      files.renameBack()
      throw error
    }
  }

  /// Changes the records of a show in the transaction.
  private func record(
    _ slug: String, to target: String, title: String?, undoing: JournalEntry?,
    claimed: [EpisodeID] = [], in transaction: inout StoreTransaction
  ) throws -> (show: LibraryShow, isChanged: Bool) {
    let before = try transaction.knownShow(slug)
    var show = before
    show.slug = target
    if let undoing = undoing?.show {
      show.takeName(of: undoing.before)
    } else if let title {
      try setTitle(title, of: &show, in: transaction)
    }
    guard show != before else { return (before, false) }
    if show.title != before.title || show.by[show: .title] != before.by[show: .title] {
      show.by.set(show: .title, at: transaction.now)
    }
    if target != slug {
      try move(before, to: show, claimed: claimed, in: &transaction)
    } else {
      try transaction.write(show, replacing: before)
    }
    if var entry = undoing {
      entry.state = .undone
      transaction.write(entry.stored)
    } else {
      let renaming = JournalEntry.ShowRenaming(before, to: show)
      let entry = JournalEntry(
        run, .show(renaming), name: "show:\(slug)", reason: "another name of the show")
      transaction.write(entry.stored)
    }
    return (show, true)
  }

  private func setTitle(
    _ title: String, of show: inout LibraryShow, in transaction: StoreTransaction
  ) throws {
    guard title.isEmpty else {
      var described = LibraryShow(slug: show.slug, title: title)
      described.title = title
      return show.take(described, from: .person)
    }
    show.by[show: .title] = .name
    let feed = show.feed.flatMap { transaction.record(.feed, $0) }
    let title = feed?.fields["title"]?.string ?? show.earlierTitles.last
    if let title { show.take(LibraryShow(slug: show.slug, title: title), from: .feed) }
  }

  /// Gives all episodes of a show, its record, its mark and its feeds the slug of the new show.
  private func move(
    _ before: LibraryShow, to show: LibraryShow, claimed: [EpisodeID],
    in transaction: inout StoreTransaction
  ) throws {
    let slug = before.slug
    let ids = try transaction.ids(ofShow: slug)
    guard Set(ids).subtracting(claimed).isEmpty else {
      throw Failure(.lockBusy, "another process has added an episode to '\(slug)'")
    }
    transaction.delete(.show, slug)
    transaction.write(StoredRecord(kind: .show, id: show.slug, fields: show.record))
    if var favourite = transaction.record(.favourite, slug) {
      transaction.delete(.favourite, slug)
      favourite.id = show.slug
      transaction.write(favourite)
    }
    for id in ids {
      guard var episode = try transaction.episode(id), episode.id == id else { continue }
      let new = try EpisodeID("\(show.slug)/\(id.episode)")
      if let owner = try transaction.episode(new), owner.id != id { throw Self.taken(new) }
      episode.rekey(from: slug, to: show)
      _ = transaction.rename(episode, to: new)
    }
    for record in transaction.records(of: .feed) {
      var feed = try Subscription(id: record.id, record: record.fields)
      guard feed.belongs(to: before) else { continue }
      feed.show = Slug(valid: show.slug)
      transaction.write(StoredRecord(kind: .feed, id: feed.id, fields: feed.record))
    }
  }

  private func episodes(of slug: String, in snapshot: StoreSnapshot) throws -> [Episode] {
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var episodes: [Episode] = []
    try snapshot.episodes(matching: query) { episode in
      guard !episode.parts.contains(where: \.isBeingRemoved) else {
        throw Failure(
          .lockBusy, "a removal of '\(episode.id)' has not ended",
          hint: "run 'vmx clean' to finish it, then rename the show")
      }
      episodes.append(episode)
      return true
    }
    return episodes
  }

  private func checkFree(_ slug: String, in snapshot: StoreSnapshot) throws {
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var other: EpisodeID?
    try snapshot.episodes(matching: query) { episode in
      other = episode.id
      return false
    }
    if let other {
      throw Failure(
        .idTaken, "another show has the slug '\(slug)': '\(other)'",
        hint: "choose another slug; 'vmx rename OLD-ID NEW-ID' moves one episode to that show")
    }
  }

  private static func taken(_ id: EpisodeID) -> Failure {
    Failure(.idTaken, "the id '\(id)' belongs to another episode")
  }

  /// Claims the episodes, and the ids that they get.
  private func claim(_ episodes: [Episode], _ slug: String) throws -> () -> Void {
    let wait = store.lockWait(milliseconds: claimTimeout)
    guard episodes.count <= Self.maxClaims else {
      var lock: RangeLock?
      _ = try wait.acquire {
        lock = try store.claims.claimAll()
        return lock != nil
      }
      guard let lock else {
        throw Failure(
          .lockBusy, "another process works on episodes of the library",
          hint: "wait for that to end, then rename the show")
      }
      return { lock.release() }
    }
    var claims: [Claim] = []
    for id in try episodes.flatMap({ [$0.id, try EpisodeID("\(slug)/\($0.id.episode)")] }) {
      var claim: Claim?
      _ = try wait.acquire {
        claim = try store.claims.claim(id)
        return claim != nil
      }
      guard let claim else {
        for claim in claims { claim.release() }
        throw Failure.inUse(id, hint: "wait for that to end, then rename the show")
      }
      claims.append(claim)
    }
    return { for claim in claims { claim.release() } }
  }
}

extension UndoService {
  /// Gives a renamed show its previous slug and title back; durable on return.
  ///
  /// - Throws: `undo-conflict` if it was renamed again since; the errors of `ShowRenaming`.
  func undoShow(_ entry: JournalEntry) throws {
    guard let renaming = entry.show else { return }
    let record = try store.snapshot().record(.show, renaming.slug)
    guard let record, record.fields["title"]?.string == renaming.title else {
      throw Failure(
        .undoConflict, "the show '\(renaming.slug)' has another name since, or is gone")
    }
    guard !store.isDryRun else { return }
    _ = try ShowRenaming(store, entry.run, claimTimeout: 0).rename(
      renaming.slug, to: Slug(valid: renaming.before.slug), title: nil, undoing: entry)
  }
}

/// The files that are named after the ids of a show's episodes.
private struct EpisodeFilesOfShow {
  private let files: [(episode: Episode, old: EpisodeFiles, new: EpisodeID)]
  private let roots: [FilePath]
  private let slug: String
  private let show: LibraryShow

  /// - Parameter show: the slug and the title that the show gets.
  init(_ episodes: [Episode], of slug: String, as show: LibraryShow, roots: [FilePath]) {
    (self.slug, self.show, self.roots) = (slug, show, roots)
    files = episodes.compactMap { episode in
      EpisodeID(valid: "\(show.slug)/\(episode.id.episode)").map { new in
        (episode, EpisodeFiles(id: episode.id, parts: episode.parts, roots: roots), new)
      }
    }
  }

  /// Renames all files; durable on return.
  func rename() throws {
    for (episode, old, new) in files {
      // The sidecar gets the keys of the new slug, by which a rebuilt store finds the episode.
      try old.rename(
        to: new, record: episode.rekeyed(from: slug, to: show).record, isDurable: false)
    }
    for root in roots {
      for folder in [LibraryLayout.Folder.partial, .records].map({ root.appending($0.path) })
      where isFolder(folder) {
        try flushFiles(in: folder)
      }
    }
  }

  /// Removes the files under the old names; those that stay are removed by `vmx clean`.
  func removeOld() {
    for (_, old, _) in files {
      do throws(FileError) { try old.removeSidecars() } catch { return }
    }
  }

  /// Takes the renaming back after a failure, as far as possible.
  func renameBack() {
    for (episode, old, new) in files {
      let renamed = old.renamed(to: new)
      do throws(FileError) {
        try renamed.rename(to: old.id, record: episode.record, isDurable: false)
        try renamed.removeSidecars()
      } catch {
        // The repeated command completes the renaming.
      }
    }
  }

  private static func names(in path: FilePath) throws(FileError) -> [String] {
    let folder = try OpenFolder(path)
    var names: [String] = []
    while let entry = try folder.next() {
      names.append(String(decoding: entry.name, as: UTF8.self))
    }
    return names
  }

  /// Flushes the files of a folder, and then the folder.
  private func flushFiles(in path: FilePath) throws(FileError) {
    let names = try Self.names(in: path)
    if !FileSystemSync.flush(names.map { _ in path }).contains(path) {
      for name in names { try RegularFile.flush(path.appending(name)) }
    }
    try syncFolder(path)
  }
}

extension Episode {
  /// Returns the episode with the identity keys of another slug, see `rekey`.
  fileprivate func rekeyed(from slug: String, to show: LibraryShow) -> Episode {
    var episode = self
    episode.rekey(from: slug, to: show)
    return episode
  }

  /// Replaces the identity keys that name the old slug by those of the new one, as far as their
  /// values are known. The first episode gets the keys by which the old slug and the title are
  /// found.
  fileprivate mutating func rekey(from slug: String, to show: LibraryShow) {
    var keys: [IdentityKey: IdentityKey] = [:]
    for season in Set([self.season, nil]) {
      guard let number else { break }
      keys[.numbered(show: slug, season: season, number: number)] = .numbered(
        show: show.slug, season: season, number: number)
    }
    if let date { keys[.dated(show: slug, day: date)] = .dated(show: show.slug, day: date) }
    for folded in [EpisodeSigns.folded(title: title), EpisodeSigns.foldedLetters(of: title)] {
      guard let folded else { continue }
      for day in Set([date, nil]) {
        keys[.titled(show: slug, title: folded, day: day)] = .titled(
          show: show.slug, title: folded, day: day)
      }
    }
    for name in video?.urls.compactMap({ WebURL(valid: $0)?.stem }) ?? [] {
      keys[.fileName(name, show: slug)] = .fileName(name, show: show.slug)
    }
    let isOwner = identity.contains(.showOwner(slug))
    keys[.showOwner(slug)] = .showOwner(show.slug)
    identity = identity.map { keys[$0] ?? $0 }
    guard isOwner else { return }
    addIdentity([.showTitled(slug)])
    if let title = show.title {
      addIdentity([.showTitled(Slug(transliterating: title, fallback: title).description)])
    }
  }
}
