package import VmxModel
package import VmxStore
import VmxSubscribing

// First what happened elsewhere, then the subscriptions, then what happened here: so the newest time
// is known before anything is sent. What was merged and the moment from which the server is asked next
// are recorded in one transaction; what was sent leaves the outbox only after the server's answer. A
// process that is killed in between merges or sends the same again, which changes nothing.

/// Exchanges subscriptions and watched marks with a server.
///
/// ```swift
/// let service = SyncService(store: store, account, server, clock: clock, order)
/// let notes = try service.run { effect in … }
/// ```
package final class SyncService {
  let store: LibraryStore
  let account: SyncAccount
  let server: SyncServer
  let clock: any WallClock
  let order: SyncOrder
  /// The state; changed with each transaction.
  var state: SyncState
  /// The findings besides the effects.
  var notes = SyncNotes()

  /// Creates the service of an account.
  ///
  /// - Throws: errors of reading the store.
  package init(
    store: LibraryStore, _ account: SyncAccount, _ server: SyncServer, clock: any WallClock,
    _ order: SyncOrder
  ) throws {
    self.store = store
    self.account = account
    self.server = server
    self.clock = clock
    self.order = order
    state = SyncState(of: account, try store.snapshot().record(.sync, SyncState.id))
  }

  /// Performs the sync.
  ///
  /// - Parameters:
  ///   - mayEnd: asked where many subscriptions end at once; false leaves all subscriptions as they
  ///     are, here and there.
  ///   - report: receives each effect, durable by then; planned ones in a dry run.
  /// - Throws: errors of the server and of the store; what was merged before stays merged, and what
  ///   waits to be sent stays in the outbox.
  package func run(
    mayEnd: (_ count: Int, SyncEffect.Direction) throws -> Bool,
    report: (SyncEffect) throws -> Void
  ) throws -> SyncNotes {
    let begun = clock.now
    try mergeActions(report)
    try exchangeSubscriptions(mayEnd: mayEnd, report)
    try sendEvents(report)
    if !order.isDryRun {
      state.synced = begun
      state.unmatched = Int64(notes.unmatched)
      try store.update(.durable) { $0.put(state.stored) }
    }
    return notes
  }

  /// The subscriptions as they are now.
  func feeds() throws -> [Subscription] { try Subscriptions(store).all().feeds }
}
