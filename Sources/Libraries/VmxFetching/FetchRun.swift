package import VmxEngine
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem
import VmxTransfer

/// One run of `vmx fetch`: a worker pool on one transfer engine.
package struct FetchRun: Sendable {
  /// Returns the rule for the episodes that this run may begin at the moment of the call.
  package let due: @Sendable () -> DueRule
  private let store: LibraryStore
  private let pool: WorkerPool
  private let interruption: Interruption
  private let scheduler: TransferScheduler

  /// Creates a run that is ready to begin.
  ///
  /// - Parameters:
  ///   - engine: the engine of the process, which the caller stops after the run.
  ///   - tools: the library; their settings are those of the files that are fetched.
  ///   - applyRequests: performs what other processes have requested for an episode, as in
  ///     `EpisodeWorker`.
  ///   - listener: receives the progress of each transfer, on the worker threads.
  /// - Throws: `ProcessError` if threads cannot be started.
  package init(
    engine: ProcessEngine, tools: LibraryTools, settings: FetchSettings,
    environment: FetchEnvironment, applyRequests: @escaping @Sendable (Episode) throws -> Episode,
    listener: @escaping @Sendable (TransferProgress) -> Void
  ) throws {
    store = tools.store
    interruption = environment.interruption
    let (clock, zone) = (environment.clock, environment.zone)
    due = { DueRule(now: clock.now, window: settings.window, zone: zone, waits: settings.waits) }
    scheduler = TransferScheduler(
      settings, store: store, mediaRoots: tools.mediaRoots, environment: environment,
      memory: engine.hosts)
    let source = FetchSource(
      engine: try engine.engine(), tools: tools, settings: settings, scheduler: scheduler,
      monitor: TransferMonitor(
        store, environment, stallSpeed: settings.transfer.stallBytesPerSecond, listener: listener),
      questions: settings.choosesQuality ? nil : environment.questions)
    let worker = EpisodeWorker(
      store: store, actions: PartActions(source: source, finisher: source.finishing), clock: clock,
      options: settings.options, due: due, applyRequests: applyRequests)
    pool = WorkerPool(
      of: worker, queue: scheduler.queue,
      waits: { [policies = scheduler.policies] in policies.serverWaits })
  }

  /// Whether a request outside the transfers would use a metered network that the user does not
  /// allow. Waits for the first verdict.
  ///
  /// - Parameter isLoopback: whether the host of the request is loopback.
  /// - Throws: `resources-short`.
  package func isMetered(loopback isLoopback: Bool) throws -> Bool {
    try scheduler.policies.isMetered(loopback: isLoopback)
  }

  /// Works until the feed has ended or the process is asked to stop.
  ///
  /// - Parameters:
  ///   - feed: the source of items, as in `WorkerPool.run`.
  ///   - report: receives each item with its result, which is durable by then.
  /// - Throws: errors of `report`.
  package func perform(
    over feed: @escaping @Sendable (WorkSubmitter) -> Void,
    report: (WorkItem, EpisodeResult) throws -> Void
  ) throws {
    // Also after an error of `report`: the received bytes count towards the cap of the month.
    defer { close() }
    // This thread sleeps until the first signal; the end of the process ends it.
    _ = try WorkerThread.start("vmx-interrupt") { [pool, interruption, scheduler] in
      interruption.wait()
      pool.stop()
      scheduler.stop()
    }
    // Once a limit of the run is reached, only items that the user named are accepted, so that each
    // of them is reported.
    let policies = scheduler.policies
    try pool.run(
      feed: { feed($0.filtered { policies.begin($0.id, isAsked: $0.isRequested) }) },
      report: { item, result in
        policies.end(item.id)
        try report(item, result)
      })
  }

  private func close() {
    do {
      try scheduler.policies.close()
      if !interruption.isRequested { try store.compactIfNeeded() }
    } catch {
      // The store is unchanged. The next run compacts it, and the recorded byte count of a network
      // is slightly too low.
    }
  }
}
