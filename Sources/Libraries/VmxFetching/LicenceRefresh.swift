package import VmxLicence
package import VmxModel
package import VmxStore
package import VmxSystem
import VmxTransfer

/// Reads the status of licences in the background while a run fetches, according to
/// `LicenceRefreshSchedule`.
///
/// Skips episodes that the run may begin itself, so that neither finds an episode claimed by the
/// other.
///
///     let looks = try LicenceRefresh.start(store, network: network, for: run, now: clock.now)
///     defer { network.close() }
///     …
///     for outcome in try looks.finish() { … }
package enum LicenceRefresh {
  /// The task. Its output is the licences whose rights have changed; its failure is that of the
  /// store.
  package typealias Task = SideTask<[LicenceService.Outcome]>

  /// Starts to read the status of licences.
  ///
  /// - Parameters:
  ///   - network: sends the requests; a brief network limits the time of each request.
  ///   - run: the concurrent run, which knows the due episodes and the state of the network.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package static func start(
    _ store: LibraryStore, network: LicenceNetwork, for run: FetchRun, now: Timestamp
  ) throws(ProcessError) -> Task {
    try Task("vmx-licence", of: []) { task in
      try refreshDue(
        at: store, network: network, for: run, on: LicenceRefreshSchedule(now: now), in: task)
    }
  }

  private static func refreshDue(
    at store: LibraryStore, network: LicenceNetwork, for run: FetchRun,
    on schedule: LicenceRefreshSchedule,
    in task: Task.Control
  ) throws {
    let snapshot = try store.snapshot()
    var silent: Set<String> = []
    for id in schedule.due(in: snapshot).ids {
      guard task.canStartRequest else { return }
      guard let record = snapshot.licence(of: id), let url = record.statusURL,
        let host = WebURL(valid: url)?.host, !silent.contains(host),
        let episode = try snapshot.episode(id), !run.due().isDue(episode),
        try !run.isMetered(loopback: AddressScope.isLoopback(host: host))
      else { continue }
      do {
        let outcome = try network.service.refresh(id)
        // The next run queries a host without a response again.
        if outcome.record.seen == record.seen { silent.insert(host) }
        if outcome.isChanged { task.update { $0.append(outcome) } }
      } catch {
        guard !error.isInterruption, isTransient(Failure(error).code) else { throw error }
      }
    }
  }

  /// Whether another process has claimed the episode, or has just removed it or its licence.
  private static func isTransient(_ code: ErrorCode) -> Bool {
    [.lockBusy, .licenceMissing, .noSuchEpisode].contains(code)
  }
}
