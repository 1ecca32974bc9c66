package import SystemPackage
package import VmxEngine
import VmxLibrary
package import VmxModel
package import VmxStore
package import VmxSystem
import VmxTransfer

/// One run of `vmx fetch`: a worker pool on one transfer engine.
package struct FetchRun: Sendable {
  /// Returns the rule for the episodes that this run may begin at the moment of the call.
  package let due: @Sendable () -> DueRule
  private let store: LibraryStore
  private let pool: WorkerPool
  private let engine: TransferEngine
  private let interruption: Interruption
  private let policies: TransferPolicies
  private let dependencies: DependencyGate

  /// Creates a run that is ready to begin.
  ///
  /// - Parameters:
  ///   - folder: the folder for new files.
  ///   - environment: the environment of the programs that are queried about the network.
  ///   - settle: performs what other processes have requested for an episode, as in `EpisodeWorker`.
  ///   - listener: receives the progress of each transfer, on the worker threads.
  /// - Throws: `ProcessError` if threads cannot be started.
  package init(
    store: LibraryStore, newFilesBelow folder: FilePath, settings: FetchSettings,
    clock: any WallClock, zone: any LocalZone, environment: [String: String],
    interruption: Interruption,
    settle: @escaping @Sendable (Episode) throws -> Episode,
    listener: @escaping @Sendable (TransferProgress) -> Void
  ) throws {
    self.store = store
    let rules = settings.policies
    due = {
      DueRule(now: clock.now, window: rules.window, zone: zone, waits: rules.waits)
    }
    var transfer = settings.transfer
    if let schedule = settings.policies.rate {
      transfer.rate = { schedule.rate(at: zone.local(clock.now).minute) }
    }
    transfer.hostMemory = HostStateStore(
      store, clock: clock, moment: { Deadline.now / 1_000_000 })
    engine = try TransferEngine(transfer, clock: clock)
    let watch = TransferMonitor(
      store: store, clock: clock, shouldStop: { interruption.isRequested }, listener: listener)
    let mediaRoots = MediaRoots(store: store, newFilesBelow: folder)
    policies = TransferPolicies(
      settings.policies, store: store, mediaRoots: mediaRoots, clock: clock, zone: zone,
      environment: environment)
    dependencies = DependencyGate(store, seats: settings.jobs)
    let source = FetchSource(
      engine: engine, mediaRoots: mediaRoots, store: store,
      places: TransferPlaces(
        own: settings.jobs, machine: settings.machineJobs, host: settings.perHost, store.slots),
      watch: watch, policies: policies, dependencies: dependencies, reserve: settings.reserve,
      clock: clock,
      writesNFO: settings.writesNFO, waitsForOthers: settings.policies.waits)
    let worker = EpisodeWorker(
      store: store, actions: PartActions(source: source, finisher: source.finishing), clock: clock,
      order: settings.order, due: due, settle: settle)
    pool = WorkerPool(of: worker, transfers: settings.jobs)
    self.interruption = interruption
  }

  /// Works until the feed has ended or the process is asked to stop.
  ///
  /// - Parameters:
  ///   - feed: the source of items, as in `WorkerPool.run`.
  ///   - report: receives each item with its outcome, which is durable by then.
  /// - Throws: errors of `report`.
  package func perform(
    over feed: @escaping @Sendable (WorkSubmitter) -> Void,
    report: (WorkItem, EpisodeOutcome) throws -> Void
  ) throws {
    // This thread sleeps until the first signal; the end of the process ends it.
    _ = try WorkerThread.start("vmx-interrupt") { [pool, interruption] in
      interruption.wait()
      pool.stop()
    }
    // At a limit of the run only items that the user named are still accepted, so that each is
    // reported.
    let policies = policies
    let dependencies = dependencies
    try pool.run(
      feed: { submitter in
        feed(
          submitter.asking { item in
            guard item.isAsked || !policies.isOver else { return false }
            dependencies.begin(item.id)
            return true
          })
      },
      report: { item, outcome in
        dependencies.end(item.id)
        try report(item, outcome)
      })
    engine.stop()
    do {
      try policies.close()
      if !interruption.isRequested { try store.compactIfWorthwhile() }
    } catch {
      // The store is unchanged. The next run compacts it, and the byte count of a network is
      // slightly too low.
    }
  }
}
