import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSyncing
import VmxSystem

/// One run of `vmx sync`.
struct SyncRun {
  let store: LibraryStore
  let context: CommandContext
  let interruption: Interruption
  let documents: DocumentService

  /// - Parameter lock: the lock options; nil for a run that only reads.
  /// - Throws: `bad-setting`, errors of opening the store.
  init(
    _ interruption: Interruption, _ lock: LockOptions?, in context: CommandContext
  ) throws {
    self.interruption = interruption
    self.context = context
    let store = try context.openStore(lock, until: interruption)
    self.store = store
    ignoreBrokenPipes()
    let environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    documents = try DocumentService(store, context.settings, environment: environment) {
      [messages = context.messages] in messages.note($0)
    }
  }

  /// Sends a request to the server.
  @Sendable func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try documents.send(request)
  }

  /// The state of the sync.
  func status() throws -> SyncStatusRow {
    let now = context.clock.now
    guard let account = try SyncAccountStore.account(of: store.home) else {
      return SyncStatusRow(nil, now: now)
    }
    let snapshot = try store.snapshot()
    let state = SyncState(of: account, snapshot.record(.sync, SyncState.id))
    let upload = SubscriptionUpload(
      Subscriptions.all(in: snapshot).feeds, state,
      allowsSecrets: try context.settings.bool(.syncSecretURLs), address: state.address)
    return SyncStatusRow(
      account, synced: state.synced, waiting: snapshot.outbox(of: .sync).count,
      feeds: upload.added.count + upload.removed.count, unmatched: state.unmatched, now: now)
  }

  /// Applies the server's changes and sends local ones, and reports each change.
  func sync(isFull: Bool, isYes: Bool, _ reporter: RowReporter<SyncRow>) throws {
    defer { documents.stop() }
    guard let account = try SyncAccountStore.account(of: store.home) else {
      throw Failure(.noSyncAccount, "the library has no sync account")
    }
    let job = store.isDryRun ? nil : try store.tryJob(.sync)
    guard store.isDryRun || job != nil else {
      throw Failure(.lockBusy, "another process is syncing the library")
    }
    defer { job?.release() }
    let server = try SyncServer(account, store.secrets, clock: context.clock, send: send)
    var options = try SyncOptions(context.settings)
    options.isFull = isFull
    let service = try SyncService(
      store: store, account: account, server: server, clock: context.clock, options: options)
    try context.ending(by: interruption) {
      let notes = try service.run(
        mayEnd: {
          try confirmUnsubscribing(
            $0, direction: $1, isGiven: isYes || store.isDryRun, to: reporter)
        },
        report: { try report($0, reporter) })
      for text in notes.texts { context.messages.note(text) }
    }
    try reporter.finish(interruptedBy: interruption)
  }

  private func report(_ effect: SyncEffect, _ reporter: RowReporter<SyncRow>) throws {
    try reporter.report(effect.result, SyncRow(effect, stage: context.stage), of: effect.id)
  }

  /// Asks the user whether many subscriptions may end at once. Without a terminal they are kept,
  /// and the rest of the sync continues.
  private func confirmUnsubscribing(
    _ count: Int, direction: SyncEffect.Direction, isGiven: Bool,
    to reporter: RowReporter<SyncRow>
  ) throws -> Bool {
    let side = direction == .incoming ? "in the library" : "at the server"
    guard !isGiven, !context.assumesYes else { return true }
    if context.isInteractive {
      let answer = try context.prompt(
        to: "end \(count) subscriptions \(side)? [y/N] ", until: interruption)
      if ["y", "yes"].contains(answer) { return true }
    }
    let failure = Failure(
      .manyRemovals, "\(count) subscriptions would end \(side); none was changed")
    let effect = SyncEffect(
      direction, .unsubscribed, id: "subscriptions", result: .failed(failure))
    try reporter.report(effect.result, SyncRow(effect, stage: context.stage), of: effect.id)
    return false
  }
}
