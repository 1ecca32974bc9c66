package import VmxModel
package import VmxQueueing
package import VmxRemoving
package import VmxStore

/// Executes the orders of a backend that the settings allow.
package struct InstructionExecutor: Sendable {
  private let store: LibraryStore
  private let allowed: Set<BackendInstruction.Kind>
  private let rule: OutboxRule
  private let remover: EpisodeRemover
  private let editor: QueueEditor

  /// Creates an executor.
  ///
  /// - Parameters:
  ///   - allowed: the kinds of orders that the backend may give (`report.orders`).
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

  /// Executes the recorded orders in the order of arrival. An order is deleted from the store once
  /// it is executed or refused. An order for an episode that another process holds stays.
  ///
  /// - Parameter tell: receives each order with its result.
  /// - Throws: store errors and the errors of `report`.
  package func perform(
    tell: (BackendInstruction, OperationResult) throws -> Void
  ) throws {
    for order in try store.snapshot().orders() {
      let result = try result(of: order)
      if result.failure?.code != .lockBusy {
        try store.update(.durable, room: .useReserve) { $0.delete(.outbox, order.id) }
      }
      try tell(order, result)
    }
  }

  /// Tells the user of the recorded orders that are invalid, and then deletes them from the store.
  ///
  /// - Throws: store errors and the errors of `tell`.
  package func refuseInvalid(tell: (InvalidInstruction) throws -> Void) throws {
    let orders = try store.snapshot().invalidOrders()
    guard !orders.isEmpty else { return }
    for order in orders { try tell(order) }
    try store.update(.durable, room: .useReserve) { transaction in
      for order in orders { transaction.delete(.outbox, order.id) }
    }
  }

  private func result(of order: BackendInstruction) throws -> OperationResult {
    guard allowed.contains(order.kind) else {
      return .failed(
        Failure(
          .orderRefused, "'\(order.episode)': the order '\(order.kind.rawValue)' is not allowed",
          hint: "set 'report.orders' to the allowed orders"))
    }
    guard let id = EpisodeID(valid: order.episode), let episode = try store.snapshot().episode(id),
      rule.backends(of: episode.id).contains(.report)
    else {
      return .failed(
        Failure(
          .orderRefused, "'\(order.episode)' is not an episode that is reported to the backend"))
    }
    switch order.kind {
    case .remove: return try remove(episode)
    case .revoke: return try revoke(episode)
    case .extend: return try extend(episode, order.until)
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
    let order = RemovalOptions(.backend, "ordered by the backend")
    return try remover.remove([episode.id], order)[0].result
  }

  private func revoke(_ episode: Episode) throws -> OperationResult {
    let order = RemovalOptions(.revoked, "withdrawn by the backend")
    return try remover.remove([episode.id], order)[0].result
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
