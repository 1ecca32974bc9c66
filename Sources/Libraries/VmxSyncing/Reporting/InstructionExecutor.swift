package import VmxModel
package import VmxQueueing
package import VmxRemoving
package import VmxStore

/// Executes the instructions of a backend that the settings allow.
package struct InstructionExecutor: Sendable {
  private let store: LibraryStore
  private let allowed: Set<BackendInstruction.Kind>
  private let rule: OutboxRule
  private let remover: EpisodeRemover
  private let editor: QueueEditor

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - allowed: the kinds of instructions that the backend may give (`report.orders`).
  ///   - rule: decides which episodes are reported to a backend.
  package init(
    _ store: LibraryStore, allowed: Set<BackendInstruction.Kind>, rule: OutboxRule,
    remover: EpisodeRemover, editor: QueueEditor
  ) {
    self.store = store
    self.allowed = allowed
    self.rule = rule
    self.remover = remover
    self.editor = editor
  }

  /// Executes the recorded instructions in the order of arrival. One is deleted from the store once
  /// it is executed or refused. An instruction for an episode that another process holds stays.
  ///
  /// - Parameter tell: receives each instruction with its result.
  /// - Throws: store errors and the errors of `report`.
  package func perform(
    tell: (BackendInstruction, OperationResult) throws -> Void
  ) throws {
    for instruction in try store.snapshot().instructions() {
      let result = try result(of: instruction)
      if result.failure?.code != .lockBusy {
        try store.update(.durable, room: .useReserve) { $0.delete(.outbox, instruction.id) }
      }
      try tell(instruction, result)
    }
  }

  /// Tells the user of the recorded instructions that are invalid, and then deletes them from the
  /// store.
  ///
  /// - Throws: store errors and the errors of `tell`.
  package func refuseInvalid(tell: (InvalidInstruction) throws -> Void) throws {
    let instructions = try store.snapshot().invalidInstructions()
    guard !instructions.isEmpty else { return }
    for instruction in instructions { try tell(instruction) }
    try store.update(.durable, room: .useReserve) { transaction in
      for instruction in instructions { transaction.delete(.outbox, instruction.id) }
    }
  }

  private func result(of instruction: BackendInstruction) throws -> OperationResult {
    guard allowed.contains(instruction.kind) else {
      return .failed(
        Failure(
          .orderRefused,
          "'\(instruction.episode)': the order '\(instruction.kind.rawValue)' is not allowed",
          hint: "set 'report.orders' to the allowed orders"))
    }
    guard let id = EpisodeID(valid: instruction.episode),
      let episode = try store.snapshot().episode(id),
      rule.backends(of: episode.id).contains(.report)
    else {
      return .failed(
        Failure(
          .orderRefused,
          "'\(instruction.episode)' is not an episode that is reported to the backend"))
    }
    switch instruction.kind {
    case .remove: return try remove(episode)
    case .revoke: return try revoke(episode)
    case .extend: return try extend(episode, instruction.until)
    case .fetchAgain: return try fetchAgain(episode)
    }
  }

  private func remove(_ episode: Episode) throws -> OperationResult {
    guard !episode.isKept else {
      return .failed(
        Failure(
          .orderRefused, "'\(episode.id)' is marked as kept, and is not removed",
          hint: "run 'vmx queue set keep=no \(episode.id)' to allow it"))
    }
    let options = RemovalOptions(.backend, "ordered by the backend")
    return try remover.remove([episode.id], options)[0].result
  }

  private func revoke(_ episode: Episode) throws -> OperationResult {
    let options = RemovalOptions(.revoked, "withdrawn by the backend")
    return try remover.remove([episode.id], options)[0].result
  }

  private func extend(_ episode: Episode, _ until: Timestamp?) throws -> OperationResult {
    guard episode.licence == nil else {
      return .failed(
        Failure(
          .orderRefused, "'\(episode.id)' has a licence, which alone determines its end",
          hint: "run 'vmx licence refresh \(episode.id)' for a newer licence"))
    }
    return try store.update(.durable) { transaction throws -> OperationResult in
      guard var episode = try transaction.episode(episode.id), let until,
        let end = episode.expires, end < until
      else { return .unchanged() }
      episode.expires = until
      transaction.write(episode)
      return .done
    }
  }

  private func fetchAgain(_ episode: Episode) throws -> OperationResult {
    let action: QueueAction = episode.state == .failed ? .retry : .add
    return try editor.perform(action, on: [episode.id])[0].result
  }
}
