import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

extension CleanupExecutor {
  /// Renames the files of episodes as the steps say, if their records still determine the same
  /// names.
  func rename(_ steps: [CleaningStep]) throws -> [OperationResult] {
    let results = renamer.perform(
      steps.map { step in
        FileRenamer.Request(episode: step.episode ?? .unknown) { episode in
          if let failure = step.failure { throw failure }
          return try moves(of: step, episode)
        } record: { episode, moves, transaction in
          let renaming = JournalEntry.Renaming(of: episode.id, moves)
          transaction.write(
            JournalEntry(removal.run, .renaming(renaming), reason: "renamed").stored)
        }
      })
    return results.map { result in
      switch result {
      case .success: .done
      case .failure(let failure): OperationResult(failure)
      }
    }
  }

  /// Returns the moves of a step according to the current record. A plan's row is untrusted input:
  /// it only selects one of the names that the record allows.
  private func moves(of step: CleaningStep, _ episode: Episode) throws -> [FileMove] {
    guard case .rename(let part, let target, let mark) = step.action,
      part.episode.isCurrent(episode)
    else { throw step.changed("the record has changed") }
    let root = try root(part.root)
    for copy in 1...MediaName.copies {
      let moves = MediaName.moves(of: episode, in: part.root, copy: copy, by: naming)
      guard let first = moves.first else { break }
      guard target == PathBytes(first.to) else { continue }
      guard first.part == part.part, part.path == PathBytes(first.from) else { break }
      if let mark { try check(mark, at: root.file(at: part.path), of: step) }
      return moves
    }
    throw step.changed("the record leads to other names")
  }
}
