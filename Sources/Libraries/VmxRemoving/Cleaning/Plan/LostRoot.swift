import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// No tool concludes that a disk will not come back. The user says so, and can take it back with
// `vmx undo`. Then the record of the root has the field `lost`, and the parts that had files on it
// are missing without a place, so that the next fetch, import or `add FILE` writes them to the root
// for new files. A lost root may still come back: its files are found like any others.

extension CleaningPlanner {
  /// Returns the steps that record the files on roots that the user has given up: one for each
  /// episode, and one for a root without any.
  ///
  /// - Throws: `usage` for a root that the library does not have or that is reachable, errors of
  ///   the store.
  func lossSteps() throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    return try scans(in: snapshot, options.lost).flatMap { scan -> [CleaningStep] in
      guard scan.root == nil else {
        throw Failure(
          .usage, "the root is reachable: '\(snapshot.rootFolder(scan.uuid) ?? scan.uuid)'",
          hint: "unmount its disk first, or move its episodes to another root")
      }
      var steps: [CleaningStep] = []
      snapshot.summaries(.paths) { episode in
        let lost = episode.parts.filter { $0.root == scan.uuid && $0.state != .removed }
        if !lost.isEmpty {
          steps.append(
            CleaningStep(of: episode, explanation: "its files are lost with the root") {
              .recordLost($0, root: scan.uuid)
            })
        }
        return true
      }
      if steps.isEmpty {
        steps.append(
          CleaningStep(
            .recordLost(nil, root: scan.uuid), explanation: "the root has no files of episodes"))
      }
      return steps
    }
  }
}

extension CleanupExecutor {
  /// Records that the files of episodes are lost with their root; durable, and undone as a run.
  func recordLost(_ steps: [CleaningStep], root uuid: String) throws -> [OperationResult] {
    if try mediaRoots.isReachable(uuid) {
      return steps.map { .failed($0.changed("the root is reachable again")) }
    }
    let loss = RootLoss(root: uuid, run: removal.run)
    let results = try store.update(.durable, room: .useReserve) { transaction in
      guard loss.declare(LossDeclaration(isLost: true, at: transaction.now), in: &transaction)
      else { return steps.map { OperationResult.failed($0.changed("the root is not known")) } }
      return try steps.map { step in
        guard let id = step.episode else { return .done }
        guard let before = try transaction.episode(id), before.id == id, before.rev == step.rev
        else { return .failed(step.changed("the record has changed")) }
        return OperationResult(isChanged: loss.record(before, in: &transaction))
      }
    }
    mediaRoots.writeDeclarations()
    return results
  }
}

/// Records that a root is lost, and that the files of episodes are lost with it.
struct RootLoss {
  /// The UUID of the root.
  let root: String
  /// The operation by which it can be undone.
  let run: Operation

  /// Records the declaration of the user; returns whether the store knows the root.
  func declare(
    _ declaration: LossDeclaration, in transaction: inout StoreTransaction
  ) -> Bool {
    guard let record = transaction.record(.root, root) else { return false }
    if record.isLostRoot != declaration.isLost || !declaration.isLost {
      transaction.write(record.declared(declaration))
    }
    return true
  }

  /// Records the files that an episode had on the root as missing; returns whether it had any.
  func record(_ before: Episode, in transaction: inout StoreTransaction) -> Bool {
    var episode = before
    for index in episode.parts.indices
    where episode.parts[index].root == root && episode.parts[index].state != .removed {
      episode.loseFile(ofPart: index, now: transaction.now)
    }
    guard episode != before else { return false }
    var entry = JournalEntry(run, .removal(of: before), reason: "lost")
    entry.lostRoot = root
    entry.state = .done
    entry.rev = transaction.recorded(episode).rev
    transaction.write(entry.stored)
    return true
  }
}
