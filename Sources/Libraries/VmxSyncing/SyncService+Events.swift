import VmxModel
import VmxStore

// The upload of outbox events.
extension SyncService {
  /// Sends the outbox events in batches. The events of a batch leave the outbox after its response.
  ///
  /// - Parameter usesKeyring: whether the passwords of feeds may come from a keyring. Otherwise the
  ///   events of such feeds stay in the outbox.
  func sendEvents(
    usesKeyring: Bool = true, _ report: (SyncEffect) throws -> Void
  ) throws {
    let feeds = try feeds()
    var events =
      try store.isDryRun
      ? store.snapshot().outbox(of: .sync) : store.shortenedOutbox(of: .sync)
    if options.sendsSecrets, !usesKeyring {
      let locked = try feeds.filter { try $0.secret.map(store.secrets.location(of:)) ?? nil != nil }
      let ids = Set(locked.map(\.id))
      events.removeAll { $0.feed.map(ids.contains) ?? false }
    }
    guard !events.isEmpty else { return }
    let snapshot = try store.snapshot()
    let plan = try UploadPlan(
      events, feeds: feeds, state, allowsSecrets: options.sendsSecrets, address: address
    ) { event in
      // Nextcloud keeps the last action that it receives, even if it is older.
      guard server.dialect == .nextcloud, event.step != .ready, event.step != .deleted,
        let newest = SyncMark(snapshot.record(.sync, event.episode))?.at
      else { return false }
      return newest > event.at
    }
    notes.secret += plan.omitted[.secret] ?? 0
    notes.withoutAddress += plan.omitted[.noAddress] ?? 0
    guard !store.isDryRun else {
      for item in plan.items { try report(Self.effect(of: item).planned) }
      return
    }
    try deleteEvents(plan.discarded, [])
    var rest = plan.items[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(SyncServer.batch))
      rest = rest.dropFirst(batch.count)
      try send(batch, report)
    }
  }

  private func send(
    _ batch: [UploadPlan.Item], _ report: (SyncEffect) throws -> Void
  ) throws {
    do {
      let receipt = try server.send(batch.map(\.action))
      state.apply(receipt.renamed, of: Set(batch.map(\.action.podcast)))
      try deleteEvents(batch.flatMap(\.events), batch)
      for item in batch { try report(Self.effect(of: item)) }
    } catch let failure as Failure where failure.code == .syncRefused {
      guard batch.count > 1 else {
        try deleteEvents(batch.flatMap(\.events), [])
        var effect = Self.effect(of: batch[0])
        effect.result = .failed(failure)
        return try report(effect)
      }
      // One invalid address makes a server refuse the whole batch, so each half is sent separately.
      let middle = batch.count / 2
      try send(Array(batch[..<middle]), report)
      try send(Array(batch[middle...]), report)
    }
  }

  /// Deletes events from the outbox durably, and records the times of the sent actions.
  private func deleteEvents(_ events: [String], _ sent: [UploadPlan.Item]) throws {
    guard !events.isEmpty else { return }
    try store.update(.durable) { transaction in
      transaction.origin = .sync
      for id in events { transaction.delete(.outbox, id) }
      for item in sent where item.action.kind == .play || item.action.kind == .new {
        guard let id = EpisodeID(valid: item.episode) else { continue }
        let before = SyncMark(transaction.record(.sync, item.episode))?.at
        guard before.map({ $0 < item.action.at }) ?? true else { continue }
        transaction.write(SyncMark(at: item.action.at).stored(of: id))
      }
      transaction.write(state.stored)
    }
  }

  private static func effect(of item: UploadPlan.Item) -> SyncEffect {
    let action = item.action
    let change: SyncEffect.Change =
      switch action.kind {
      case .download: .downloaded
      case .delete: .deleted
      case .new: .unwatched
      case .play: action.position != nil && action.position == action.total ? .watched : .played
      }
    return SyncEffect(
      .outgoing, change, id: item.episode, position: change == .played ? action.position : nil,
      at: action.at)
  }
}
