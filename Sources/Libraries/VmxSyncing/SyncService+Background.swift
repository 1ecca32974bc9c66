package import VmxModel
package import VmxStore
package import VmxSystem

/// The result of sending outbox events in the background.
package struct SyncDelivery: Sendable, Equatable {
  /// The number of actions that the server accepted.
  package var sent = 0
  /// The number of events that were not sent because their addresses contain secrets.
  package var notes = SyncNotes()
  /// The number of unsent events when a failure ended the attempts.
  package var pending = 0
  /// The failure that ended the attempts; nil without a failure.
  package var failure: Failure?
}

extension SyncService {
  /// Starts a background task that sends outbox events while other work runs, and the remaining
  /// events at its end.
  ///
  /// Subscriptions are left to `vmx sync now`, which can prompt the user. The first server failure
  /// ends the attempts; unsent events stay in the outbox. Passwords in a keyring are not used,
  /// since the keyring could wait for the user to unlock it.
  ///
  /// - Returns: the task, which throws only store errors; nil without an account, or if the
  ///   password is not in the secrets file.
  /// - Throws: errors of reading the account; `resources-short`.
  package static func startInBackground(
    _ store: LibraryStore, clock: any WallClock, _ options: SyncOptions,
    send: @escaping HTTPSending
  ) throws -> SideTask<SyncDelivery>? {
    guard let account = try SyncAccountStore.account(of: store.home),
      try store.secrets.location(of: account.secret) == nil
    else { return nil }
    return try SideTask("vmx-sync", of: SyncDelivery()) { task in
      try task.runRepeatedly {
        do {
          try deliver(
            from: store, to: account, clock: clock, options: options, with: send, task: task)
          return true
        } catch {
          guard !error.isInterruption, !(error is StoreError) else { throw error }
          let left = try store.snapshot().outbox(of: .sync).count
          task.update { ($0.failure, $0.pending) = (Failure(error), left) }
          return false
        }
      }
    }
  }

  private static func deliver(
    from store: LibraryStore, to account: SyncAccount, clock: any WallClock,
    options: SyncOptions,
    with send: @escaping HTTPSending, task: SideTask<SyncDelivery>.Control
  ) throws {
    guard task.canStartRequest, try !store.snapshot().outbox(of: .sync).isEmpty,
      let job = try store.tryJob(.sync)
    else { return }
    defer { job.release() }
    let server = try SyncServer(account, store.secrets, clock: clock, send: send)
    let service = try SyncService(
      store: store, account: account, server: server, clock: clock, options: options)
    // Nextcloud keeps the last action that it receives, so actions of other devices are merged
    // first.
    if server.dialect == .nextcloud { try service.mergeActions { _ in } }
    try service.sendEvents(usesKeyring: false) { effect in
      if effect.result == .done { task.update { $0.sent += 1 } }
    }
    let secret = service.notes.secret
    task.update { $0.notes.secret += secret }
  }
}

extension SyncServer {
  /// Creates the client of an account with its stored password.
  ///
  /// - Throws: `secret-missing`, `secret-locked`.
  package init(
    _ account: SyncAccount, _ secrets: SecretStore, clock: any WallClock,
    send: @escaping HTTPSending
  ) throws {
    let secret = try secrets.get(account.secret)
    self.init(
      account.url, dialect: account.dialect,
      login: Login(user: secret.user, password: secret.password),
      device: account.device, clock: clock, send: send)
  }
}
