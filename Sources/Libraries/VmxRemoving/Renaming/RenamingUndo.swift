import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

extension UndoService {
  /// Restores the previous names of renamed files, in the order of the journal entries; durable on
  /// return.
  ///
  /// - Returns: the episode of each entry, or a failure. It is `undo-conflict` if a file has been
  ///   renamed since or its former name is taken. Others are `undo-impossible`, `lock-busy`,
  ///   `root-away`, and errors of the store and the file system.
  func undoRenaming(_ entries: [JournalEntry]) -> [Result<Episode, Failure>] {
    if store.isDryRun { return planned(entries) }
    let requests = entries.compactMap { entry in
      entry.renaming.map { renaming in
        FileRenamer.Request(episode: renaming.episode) { episode in
          try moves(takingBack: entry, of: episode)
        } record: { _, _, transaction in
          var entry = entry
          entry.state = .undone
          transaction.write(entry.stored)
        }
      }
    }
    return renamer.perform(requests).map { result in
      result.mapError { failure in
        failure.code == .nameTaken ? Failure(.undoConflict, failure.summary) : failure
      }
    }
  }

  private var renamer: FileRenamer {
    FileRenamer(
      store: store, mediaRoots: mediaRoots,
      sidecars: removal.tools.sidecars, digest: removal.digest)
  }

  /// Checks that journal entries can be undone in their order.
  private func planned(_ entries: [JournalEntry]) -> [Result<Episode, Failure>] {
    var left: Set<FileMove.Location> = []
    var episodes: [EpisodeID: Episode] = [:]
    return entries.map { entry in
      Result {
        guard let id = entry.renaming?.episode,
          var episode = try episodes[id] ?? store.snapshot().episode(id)
        else { throw Failure(.undoImpossible, "the step is no longer recorded") }
        for move in try moves(takingBack: entry, of: episode) {
          let file = try mediaRoots.root(move.newRoot).file(at: PathBytes(move.to))
          if try !left.contains(move.target) && FileFacts.ifPresent(at: file) != nil,
            try !move.isBetweenRoots || !renamer.hasRecordedBytes(file, move.part, of: episode)
          {
            throw Failure(.undoConflict, "another file already has the name: '\(file)'")
          }
          left.insert(move.source)
          episode.apply(move)
        }
        episodes[id] = episode
        return episode
      }.mapError { Failure($0) }
    }
  }

  /// Returns the moves that undo a renaming, last first.
  private func moves(takingBack entry: JournalEntry, of episode: Episode) throws -> [FileMove] {
    let entry = try reloaded(entry)
    try check(entry)
    return try (entry.renaming?.moves ?? []).reversed().map { move in
      guard
        episode.parts.contains(where: {
          $0.name == move.part && $0.state == .ready && FileMove.Location($0) == move.target
        })
      else {
        throw Failure(
          .undoConflict, "'\(episode.id)' has changed since: '\(move.to)' is not its file")
      }
      return move.reversed
    }
  }
}
