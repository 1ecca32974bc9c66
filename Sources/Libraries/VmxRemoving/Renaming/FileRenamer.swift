import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// The files are renamed first, durably. Then one transaction records the paths together with the
// journal entries. After a crash in between, `vmx clean` finds the files under their new names by
// size and digest, like files that the user has moved.
//
// A name that another file has left is reused only after the record of that file is durable.
// Otherwise a crash would leave a record whose path leads to the bytes of another episode. So such
// a move begins a new group.
//
// NFO files follow the video. Those that vmx wrote are written again; others are renamed.

/// Renames the files of episodes and updates their records, in groups that share disk flushes.
struct FileRenamer: Sendable {
  /// The maximum number of episodes in a group.
  static let maxBatchSize = 64
  /// The number of sidecars written in parallel, so that they share disk flushes.
  private static let parallelism = 8

  /// A request to rename the files of an episode.
  struct Request: Sendable {
    /// The episode.
    let episode: EpisodeID
    /// Returns the moves for the current record; an error that it throws refuses the request.
    let moves: @Sendable (Episode) throws -> [FileMove]
    /// Writes the journal entry of the moves, in the transaction that records them.
    let record: @Sendable (Episode, [FileMove], inout StoreTransaction) -> Void
  }

  let store: LibraryStore
  let mediaRoots: MediaRoots
  let sidecars: SidecarWriter
  /// Reads a whole file and returns its SHA-256.
  let digest: @Sendable (FilePath) throws -> Digest
  /// Called while files are copied; true ends the work as interrupted.
  var shouldStop: @Sendable () -> Bool = { false }

  /// Performs requests in order. A failure of one does not stop the others.
  ///
  /// - Returns: the episode as recorded, or the failure, of each request; durable. The failures are
  ///   `lock-busy` while another worker has claimed the episode, `name-taken`, `root-away`, and
  ///   errors of the store and the file system. After a failure the files have their previous
  ///   names.
  func perform(_ requests: [Request]) -> [Result<Episode, Failure>] {
    var results: [Result<Episode, Failure>] = []
    while results.count < requests.count {
      results += performGroup(requests[results.count...].prefix(Self.maxBatchSize))
    }
    return results
  }

  /// Performs the first requests, up to one that must begin a new group.
  private func performGroup(_ requests: ArraySlice<Request>) -> [Result<Episode, Failure>] {
    var group: [Result<OpenRenaming, Failure>] = []
    var claims: [Claim] = []
    defer { for claim in claims { claim.release() } }
    do {
      var ids: Set<EpisodeID> = []
      var left: Set<FileMove.Location> = []
      for request in requests {
        guard !ids.contains(request.episode) else { break }
        do {
          let renaming = try open(request, &claims)
          // The copies of one episode are recorded before the next one needs space.
          guard left.isDisjoint(with: renaming.moves.map(\.target)),
            group.isEmpty || !renaming.isBetweenRoots
          else { break }
          ids.formUnion([request.episode, renaming.episode.id])
          left.formUnion(renaming.moves.map(\.source))
          group.append(.success(renaming))
          if renaming.isBetweenRoots { break }
        } catch {
          group.append(.failure(Failure(error)))
        }
      }
      try checkNames(&group)
      var folders: Set<FilePath> = []
      for index in group.indices {
        group[index] = group[index].flatMap { renaming in
          Result { try rename(renaming, &folders) }.mapError { Failure($0) }
        }
      }
      return try commit(group, folders)
    } catch {
      return group.map { $0.flatMap { _ in .failure(Failure(error)) } }
    }
  }

  private func open(_ request: Request, _ claims: inout [Claim]) throws -> OpenRenaming {
    let id = try store.snapshot().resolve(request.episode) ?? request.episode
    let claim = try store.claim(id)
    do {
      guard let episode = try store.snapshot().episode(id), episode.id == id else {
        throw Failure.noSuchEpisode(request.episode)
      }
      let renaming = OpenRenaming(episode, moves: try request.moves(episode), request: request)
      claims.append(claim)
      return renaming
    } catch {
      claim.release()
      throw error
    }
  }

  /// Refuses names that the records of other parts have, whether their files exist or not.
  private func checkNames(_ group: inout [Result<OpenRenaming, Failure>]) throws {
    var owners: [FileMove.Location: Int] = [:]
    for (index, result) in group.enumerated() {
      guard case .success(let renaming) = result else { continue }
      for move in renaming.moves { owners[move.target] = index }
    }
    guard !owners.isEmpty else { return }
    try store.snapshot().summaries(.paths) { summary in
      for location in summary.parts.compactMap(FileMove.Location.init) {
        guard let index = owners[location] else { continue }
        group[index] = .failure(
          Failure(
            .nameTaken, "the record of '\(summary.id)' already has the name: '\(location.path)'")
        )
      }
      return true
    }
  }

  /// Renames all files of an episode or none. An NFO file of the user is renamed first, since after
  /// a crash no record would identify its video.
  private func rename(
    _ renaming: OpenRenaming, _ folders: inout Set<FilePath>
  ) throws -> OpenRenaming {
    var renaming = renaming
    var done: [FileMove] = []
    do {
      if let video = renaming.moves.video, !video.isBetweenRoots {
        let root = try mediaRoots.root(video.root)
        let folder = root.file(at: PathBytes(video.to)).folder
        folders.formUnion(try root.makeFolders(folder, mode: .publishedFolder).map(\.folder))
        renaming.renamedNFO = try sidecars.renameNFO(beside: video, of: renaming.episode)
      }
      for move in renaming.moves {
        if move.isBetweenRoots {
          renaming.copies[move.part] = try copy(move, of: renaming.episode, &folders)
        } else {
          try rename(move, of: renaming.episode, &folders)
        }
        done.append(move)
      }
      return renaming
    } catch {
      rollBack(renaming, done)
      throw error
    }
  }

  private func rename(
    _ move: FileMove, of episode: Episode, _ folders: inout Set<FilePath>
  ) throws {
    let root = try mediaRoots.root(move.root)
    let (source, target) = (root.file(at: PathBytes(move.from)), root.file(at: PathBytes(move.to)))
    guard try FileFacts.ifPresent(at: source) != nil else {
      // An interrupted run may already have renamed it.
      guard try hasRecordedBytes(target, move.part, of: episode) else {
        throw Failure(.planChanged, "the file is missing: '\(source)'")
      }
      folders.insert(target.folder)
      return
    }
    let made = try root.makeFolders(target.folder, mode: .publishedFolder)
    do throws(FileError) {
      try renameNoReplace(from: source, to: target)
    } catch {
      guard error.errno == .fileExists else { throw error }
      throw Failure.nameTaken(target)
    }
    folders.formUnion(made.map(\.folder) + [source.folder, target.folder])
  }

  /// Whether a file has the recorded bytes of a part.
  func hasRecordedBytes(_ file: FilePath, _ name: String, of episode: Episode) throws
    -> Bool
  {
    guard let part = episode.parts.first(where: { $0.name == name }), let sha256 = part.sha256,
      let facts = try FileFacts.ifPresent(at: file), facts.isRegular, facts.size == part.size?.bytes
    else { return false }
    return try digest(file) == sha256
  }

  /// Restores the previous names of files of an episode.
  private func rollBack(_ renaming: OpenRenaming, _ moves: [FileMove]) {
    if renaming.renamedNFO, let video = renaming.moves.video {
      do {
        _ = try sidecars.renameNFO(beside: video.reversed, of: renaming.episode)
      } catch {
        // It keeps the new name, and the next run finds it there.
      }
    }
    for move in moves.reversed() {
      if move.isBetweenRoots {
        if renaming.copies[move.part] != nil { removeCopy(move) }
        continue
      }
      do {
        let root = try mediaRoots.root(move.root)
        try renameNoReplace(
          from: root.file(at: PathBytes(move.to)), to: root.file(at: PathBytes(move.from)))
        try root.removeEmptyFolders(above: PathBytes(move.to))
      } catch {
        // The first failure is reported; 'vmx clean' finds the file by its digest.
      }
    }
  }

  /// Makes the names durable and records them; then updates the sidecars and NFO files.
  private func commit(
    _ group: [Result<OpenRenaming, Failure>], _ folders: Set<FilePath>
  ) throws -> [Result<Episode, Failure>] {
    do {
      for folder in folders { try Trash.syncIfPresent(folder) }
      let recorded = try record(group)
      let renamed = zip(group, recorded).compactMap {
        renaming, result -> (Episode, OpenRenaming)? in
        guard case .success(let renaming) = renaming, case .success(let episode) = result else {
          return nil
        }
        return (episode, renaming)
      }
      let failures = WorkerThread.map(renamed, threads: Self.parallelism, named: "vmx-names") {
        episode, renaming -> (EpisodeID, Failure)? in
        if renaming.isBetweenRoots {
          return finish(episode, moves: renaming.moves, copies: renaming.copies).map {
            (episode.id, $0)
          }
        }
        updateSidecars(episode, renaming.moves)
        return nil
      }
      return recorded.map { result in
        result.flatMap { episode in
          let failure = failures.compactMap(\.self).first { $0.0 == episode.id }?.1
          return failure.map { .failure($0) } ?? .success(episode)
        }
      }
    } catch {
      for case .success(let renaming) in group.reversed() { rollBack(renaming, renaming.moves) }
      throw error
    }
  }

  private func record(
    _ group: [Result<OpenRenaming, Failure>]
  ) throws -> [Result<Episode, Failure>] {
    try store.update(.durable, room: .useReserve) { transaction in
      try group.map { result in
        switch result {
        case .failure(let failure): return .failure(failure)
        case .success(let renaming):
          guard var episode = try transaction.episode(renaming.episode.id) else {
            throw Failure.noSuchEpisode(renaming.episode.id)
          }
          for move in renaming.moves { episode.apply(move) }
          renaming.request.record(episode, renaming.moves, &transaction)
          return .success(transaction.recorded(episode))
        }
      }
    }
  }

  /// Writes the sidecar and the NFO file of a renamed episode, and removes the folders that have
  /// become empty. The next `vmx clean` repeats what fails here.
  private func updateSidecars(_ episode: Episode, _ moves: [FileMove]) {
    do {
      _ = sidecars.write(episode)
      for move in moves {
        let root = try mediaRoots.root(move.root)
        try root.removeEmptyFolders(above: PathBytes(move.from))
      }
      if let video = moves.video { try sidecars.moveShow(above: video, of: episode) }
    } catch {
      // The names and the record are durable.
    }
  }
}

/// A request that may be performed, under the claim on its episode.
private struct OpenRenaming: Sendable {
  let episode: Episode
  let moves: [FileMove]
  let request: FileRenamer.Request
  /// Whether an NFO file of the user was renamed with the video.
  var renamedNFO = false
  /// The bytes that were copied to another root, by part.
  var copies: [String: FoundBytes] = [:]

  /// Whether files move to another root.
  var isBetweenRoots: Bool { moves.contains(where: \.isBetweenRoots) }

  init(_ episode: Episode, moves: [FileMove], request: FileRenamer.Request) {
    self.episode = episode
    self.moves = moves
    self.request = request
  }
}

extension [FileMove] {
  /// The move of the video.
  var video: FileMove? { first { $0.part == PartRole.video.rawValue } }
}
