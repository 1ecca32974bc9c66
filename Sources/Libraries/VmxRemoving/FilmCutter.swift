import SystemPackage
package import VmxLibrary
import VmxMedia
package import VmxModel
import VmxStore
import VmxSystem

// A cut is a replacement (`EpisodeRemover+Replacing`): the episode with all its files goes into the
// trash, and a successor with the first film, and with copies of its other files, gets its id and
// its record. So the removed bytes are in the trash, and the undo of a replacement, which may be
// interrupted at any point, brings them back. The copies are complete and durable before anything
// is removed, and the successor is recorded before they get their final names, so that no file is
// ever at a path without a record. The `rev` in the journal entry says that the cut is complete.
// Without it, after a crash, `vmx undo` or the next `vmx verify --repair` restores the episode.

/// Cuts a video where its first film ends, if other bytes follow it.
package struct FilmCutter {
  /// The result of a cut.
  package struct Cut: Sendable {
    /// The episode with the cut video.
    package let episode: Episode
    /// The number of bytes that were cut off.
    package let removed: Int64
  }

  /// The tool of the operations of cuts.
  package static let tool = "verify"

  private let removal: EpisodeRemover
  private var store: LibraryStore { removal.store }
  private var mediaRoots: MediaRoots { removal.mediaRoots }

  /// Creates a cutter.
  ///
  /// - Parameter removal: moves the previous files into the trash; its operation can be undone.
  package init(_ removal: EpisodeRemover) {
    self.removal = removal
  }

  /// Cuts the video of an episode; durable on return.
  ///
  /// - Returns: nil if its first film is not whole, nothing follows it, or the episode has a
  ///   licence; nothing is changed then.
  /// - Throws: `lock-busy`, `root-away`, errors of the store and the file system.
  package func cut(_ id: EpisodeID) throws -> Cut? {
    let snapshot = try store.snapshot()
    guard let episode = try snapshot.episode(id), episode.licence == nil,
      let video = episode.publishedVideo, let size = try sizeOfFirstFilm(in: video)
    else { return nil }
    let removed = (video.size?.bytes ?? size.file) - size.film
    if store.isDryRun { return Cut(episode: episode, removed: removed) }
    try store.claim(episode.id).release()
    let position = snapshot.record(.position, episode.id.description)
    var copies: [(draft: FilePath, final: FilePath)] = []
    do {
      var cut = episode
      for index in cut.parts.indices {
        guard cut.parts[index].hasFile, cut.parts[index].role != .key,
          let copy = try copy(of: cut.parts[index])
        else { continue }
        copies.append(copy)
        guard cut.parts[index].role == .video else { continue }
        try OpenFile(copy.draft, .readWrite).truncate(to: size.film)
        cut.setCut(ofPart: index, to: size.film, try removal.digest(copy.draft), removal.clock.now)
      }
      for copy in copies { try RegularFile.flush(copy.draft) }
      try removal.replace(
        episode.id, by: cut.video?.sha256, "cut off \(removed) bytes after the first film"
      ) { present in
        guard present.rev == episode.rev else {
          throw Failure(.lockBusy, "another process has changed '\(episode.id)'")
        }
      }
      try publish(cut, position: position, copies: copies)
    } catch {
      for copy in copies where try FileFacts.ifPresent(at: copy.draft) != nil {
        try RegularFile.remove(copy.draft)
      }
      throw error
    }
    let present = try store.snapshot().episode(episode.id) ?? episode
    // The next 'vmx clean' writes a sidecar that cannot be written now.
    _ = removal.tools.sidecars.write(present)
    return Cut(episode: present, removed: removed)
  }

  /// Returns the size of the file and of its first film, if that is whole and bytes follow it.
  private func sizeOfFirstFilm(in video: Part) throws -> (file: Int64, film: Int64)? {
    guard let root = video.root, let path = video.path else { return nil }
    let name = try mediaRoots.root(root).folder.appending(path)
    guard try FileFacts.of(name)?.isRegular == true else { return nil }
    let file = try OpenFile(name, .readOnly)
    let size = try file.facts().size
    guard video.size == nil || video.size?.bytes == size,
      case .broken(let fault) = try MediaStructure.examine(file), fault.offset > 0
    else { return nil }
    let front = try MediaReport(of: file.descriptor, named: name, size: fault.offset)
    guard front.structure == .intact, front.isClosed else { return nil }
    return (size, fault.offset)
  }

  /// Copies the file of a part to a temporary name beside it.
  private func copy(of part: Part) throws -> (draft: FilePath, final: FilePath)? {
    guard let root = part.root, let path = part.path else { return nil }
    let final = try mediaRoots.root(root).folder.appending(path)
    guard try FileFacts.of(final)?.isRegular == true else { return nil }
    let draft = final.folder.appending(LibraryLayout.temporaryName())
    _ = try copyFile(from: final, to: draft)
    return (draft, final)
  }

  /// Records the cut episode and gives the copies their final names; durable on return.
  private func publish(
    _ cut: Episode, position: StoredRecord?, copies: [(draft: FilePath, final: FilePath)]
  ) throws {
    do {
      try store.prepare([cut.id])
      try store.update(.durable, room: .useReserve) { transaction in
        guard try transaction.episode(cut.id) == nil else {
          throw Failure(.lockBusy, "another process has added '\(cut.id)' meanwhile")
        }
        _ = transaction.add(cut)
        if let position { transaction.write(position) }
      }
      for copy in copies { try renameNoReplace(from: copy.draft, to: copy.final) }
      for folder in Set(copies.map(\.final.folder)) { try syncFolder(folder) }
      let entry = try store.snapshot().journalEntries(of: cut.id).last { $0.run == removal.run }
      if let entry { try close(entry, of: cut.id) }
    } catch {
      let failure = Failure(error)
      throw Failure(
        failure.code, failure.summary, hint: "run 'vmx undo' to restore '\(cut.id)' as it was")
    }
  }

  private func close(_ entry: JournalEntry, of id: EpisodeID) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      guard var entry = transaction.journalEntry(entry.id) else { return }
      entry.rev = try transaction.episode(id)?.rev
      transaction.write(entry.stored)
    }
  }

  /// Completes an interrupted cut if all its files have their names; durable on return.
  ///
  /// - Returns: false if it must be undone.
  /// - Throws: `root-away`, errors of the store and the file system.
  package func complete(_ entry: JournalEntry) throws -> Bool {
    guard entry.state == .done, let id = entry.episode,
      let episode = try store.snapshot().episode(id), episode.id == id,
      episode.video?.sha256 == entry.successor
    else { return false }
    var folders: Set<FilePath> = []
    for part in episode.parts where part.hasFile && part.role != .key {
      guard let root = part.root, let path = part.path else { return false }
      let file = try mediaRoots.root(root).folder.appending(path)
      guard let facts = try FileFacts.ifPresent(at: file), facts.isRegular,
        facts.size == part.size?.bytes
      else { return false }
      folders.insert(file.folder)
    }
    for folder in folders { try syncFolder(folder) }
    try close(entry, of: id)
    return true
  }

  /// Returns the journal entries of the cuts that did not come to their end, by a crash or because
  /// another process is at work on them.
  ///
  /// - Throws: errors of the store.
  package func interruptedEntries() throws -> [JournalEntry] {
    let snapshot = try store.snapshot()
    var newest: [EpisodeID: JournalEntry] = [:]
    for entry in snapshot.journalEntries() {
      if let id = entry.episode { newest[id] = entry }
    }
    return try newest.values.filter { entry in
      guard entry.run.tool == Self.tool, let successor = entry.successor, entry.rev == nil else {
        return false
      }
      // The user has given the id to another episode since: only 'vmx undo' concerns the old one.
      let present = try entry.episode.flatMap { try snapshot.episode($0) }
      return entry.state == .begun
        || entry.state == .done && (present == nil || present?.video?.sha256 == successor)
    }
  }
}

extension Episode {
  /// Records the first film as the file of a part.
  fileprivate mutating func setCut(
    ofPart index: Int, to size: Int64, _ sha256: Digest, _ now: Timestamp
  ) {
    let before = parts[index].state
    parts[index].enter(.ready)
    parts[index].size = ByteCount(clamping: size)
    parts[index].sha256 = sha256
    parts[index].proof = .length
    parts[index].verifiedAt = now
    parts[index].repairs = nil
    parts[index].original = nil
    addIdentityOfBytes()
    appendTransition(Transition(at: now, part: parts[index].name, from: before, to: .ready))
  }
}
