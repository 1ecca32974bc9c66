package import VmxLicence
package import VmxModel
package import VmxStore
package import VmxSystem
import VmxTransfer

/// Reads the status of licences while a run fetches, as `LookSchedule` says.
///
/// It leaves alone what the run may begin itself, so neither finds the episode claimed by the other.
///
///     let looks = try LicenceLooks.start(store, network, run, now: clock.now)
///     defer { network.close() }
///     …
///     for outcome in try looks.finish() { … }
package enum LicenceLooks {
  /// The task; its output are the licences whose rights have changed, its failure is that of the store.
  package typealias Task = SideTask<[LicenceService.Outcome]>

  /// Starts to look.
  ///
  /// - Parameters:
  ///   - network: sends the requests; one that is brief ends soon.
  ///   - run: the run beside it; it knows the episodes that are due, and the state of the network.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package static func start(
    _ store: LibraryStore, _ network: LicenceNetwork, _ run: FetchRun, now: Timestamp
  ) throws(ProcessError) -> Task {
    try Task("vmx-licence", of: []) { task in
      try look(at: store, network, run, LookSchedule(now: now), task)
    }
  }

  private static func look(
    at store: LibraryStore, _ network: LicenceNetwork, _ run: FetchRun, _ schedule: LookSchedule,
    _ task: Task.Control
  ) throws {
    let snapshot = try store.snapshot()
    var silent: Set<String> = []
    for id in schedule.due(in: snapshot).ids {
      guard task.mayGoOn else { return }
      guard let record = snapshot.licence(of: id), let url = record.statusURL,
        let host = try? WebURL(url).host, !silent.contains(host),
        let episode = try snapshot.episode(id), !run.due().isDue(episode),
        try !run.isMetered(loopback: AddressReach.isLoopback(host: host))
      else { continue }
      do {
        let outcome = try network.service.refresh(id)
        // A host that gave no answer is asked again by the next run.
        if outcome.record.seen == record.seen { silent.insert(host) }
        if outcome.isChanged { task.update { $0.append(outcome) } }
      } catch {
        guard !error.isInterruption, isPassing(Failure(error).code) else { throw error }
      }
    }
  }

  /// Whether another process has the episode in work, or has just taken it away.
  private static func isPassing(_ code: ErrorCode) -> Bool {
    [.lockBusy, .licenceMissing, .noSuchEpisode].contains(code)
  }
}
