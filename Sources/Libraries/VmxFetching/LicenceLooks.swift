package import VmxLicence
package import VmxModel
package import VmxStore
package import VmxSystem
import VmxTransfer

/// Reads the status of licences while a run fetches, on a thread of its own, as `LookSchedule` says.
///
/// It leaves alone what the run may begin itself, so neither finds the episode claimed by the other.
///
///     let looks = try LicenceLooks(store, network, run)
///     defer { network.close() }
///     …
///     for outcome in try looks.finish() { … }
package final class LicenceLooks: Sendable {
  /// Milliseconds for which the end of the run waits for further looks to be begun.
  private static let patience: Int64 = 2000

  private struct State: Sendable {
    /// When the last look may be begun; nil while the run goes on.
    var end: Deadline?
    var changed: [LicenceService.Outcome] = []
    var failure: Failure?
  }

  private let state = Monitor(State())
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - network: sends the requests; one that is brief ends soon.
  ///   - run: the run beside it; it knows the episodes that are due, and the state of the network.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(
    _ store: LibraryStore, _ network: LicenceNetwork, _ run: FetchRun, now: Timestamp
  ) throws(ProcessError) {
    thread = try WorkerThread.start("vmx-licence") { [state] in
      do {
        try Self.look(at: store, network, run, LookSchedule(now: now), state)
      } catch {
        guard !error.isInterruption else { return }
        state.withLock { $0.failure = Failure(error) }
      }
    }
  }

  private static func look(
    at store: LibraryStore, _ network: LicenceNetwork, _ run: FetchRun, _ schedule: LookSchedule,
    _ state: Monitor<State>
  ) throws {
    let snapshot = try store.snapshot()
    var silent: Set<String> = []
    for id in schedule.due(in: snapshot).ids {
      guard state.withLock({ $0.end?.isPast != true }) else { return }
      guard let record = snapshot.licence(of: id), let url = record.statusURL,
        let host = try? WebURL(url).host, !silent.contains(host),
        let episode = try snapshot.episode(id), !run.due().isDue(episode),
        try !run.isMetered(loopback: AddressReach.isLoopback(host: host))
      else { continue }
      do {
        let outcome = try network.service.refresh(id)
        // A host that gave no answer is asked again by the next run.
        if outcome.record.seen == record.seen { silent.insert(host) }
        if outcome.isChanged { state.withLock { $0.changed.append(outcome) } }
      } catch {
        guard !error.isInterruption, isPassing(Failure(error).code) else { throw error }
      }
    }
  }

  /// Whether another process has the episode in work, or has just taken it away.
  private static func isPassing(_ code: ErrorCode) -> Bool {
    [.lockBusy, .licenceMissing, .noSuchEpisode].contains(code)
  }

  /// Ends the thread.
  ///
  /// - Returns: the licences whose rights have changed.
  /// - Throws: the failure of the store that ended the looks.
  package func finish() throws(Failure) -> [LicenceService.Outcome] {
    state.withLock { $0.end = Deadline(milliseconds: Self.patience) }
    thread.join()
    let (changed, failure) = state.withLock { ($0.changed, $0.failure) }
    if let failure { throw failure }
    return changed
  }
}
