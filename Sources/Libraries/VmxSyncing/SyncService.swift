import VmxCatalogue
import VmxLibrary
package import VmxModel
package import VmxStore

// A run merges the actions of other devices, then exchanges subscriptions, then sends local events.
// The newest action times are therefore known before anything is sent. Merged data and the `since`
// of the next request are recorded in one transaction. Events leave the outbox only after the
// server's response. If this process is killed in between, the next run merges or sends the same
// data again, which has no further effect.

/// Exchanges subscriptions and watched marks with a server.
///
/// ```swift
/// let service = try SyncService(
///   store: store, account: account, server: server, clock: clock, options: options)
/// let notes = try service.run(mayEnd: { count, direction in true }) { effect in … }
/// ```
package final class SyncService {
  let store: LibraryStore
  let account: SyncAccount
  let server: SyncServer
  let clock: any WallClock
  let options: SyncOptions
  let sidecars: SidecarWriter
  /// The sync state, recorded with each transaction.
  var state: SyncState
  /// The findings that are not effects.
  var notes = SyncNotes()

  /// Creates the sync service of an account.
  ///
  /// - Throws: errors of reading the store.
  package init(
    store: LibraryStore, account: SyncAccount, server: SyncServer, clock: any WallClock,
    options: SyncOptions
  ) throws {
    self.store = store
    self.account = account
    self.server = server
    self.clock = clock
    self.options = options
    sidecars = SidecarWriter(
      mediaRoots: MediaRoots(store: store),
      nfo: options.nfo)
    state = SyncState(of: account, try store.snapshot().record(.sync, SyncState.id))
  }

  /// Performs the sync.
  ///
  /// - Parameters:
  ///   - mayEnd: called if many subscriptions would end at once. False ends the exchange of
  ///     subscriptions before that step.
  ///   - report: receives each effect after it is durable, or the planned effects in a dry run.
  /// - Throws: server and store errors. Merged data stays merged, and unsent events stay in the
  ///   outbox.
  package func run(
    mayEnd: (_ count: Int, SyncEffect.Direction) throws -> Bool,
    report: (SyncEffect) throws -> Void
  ) throws -> SyncNotes {
    let begun = clock.now
    try mergeActions(report)
    try exchangeSubscriptions(mayEnd: mayEnd, report)
    try sendEvents(report)
    if !store.isDryRun {
      state.synced = begun
      state.unmatched = Int64(notes.unmatched)
      try store.update(.durable) { $0.write(state.stored) }
    }
    return notes
  }

  /// Returns the current subscriptions.
  func feeds() throws -> [Subscription] { try Subscriptions(store).all().feeds }
}
