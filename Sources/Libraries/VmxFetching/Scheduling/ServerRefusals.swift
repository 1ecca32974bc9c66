import Synchronization
import VmxEngine
import VmxModel
import VmxTransfer

/// Decides how a temporary refusal by a server ends the work on an episode: back to the queue,
/// `waiting` or `failed`.
///
/// A refusal with a time is recorded as `waiting`. A delay by the pace or budget of a host is not
/// recorded while the run waits for it. A refusal by a busy host counts as an attempt only at the
/// slowest pace, or once there were as many refusals as a source has attempts. In the latter case
/// the URL is broken rather than the host busy.
final class ServerRefusals: Sendable {
  /// The time in milliseconds for which no request is sent to a host that refused all attempts at
  /// its slowest pace.
  private static let busyHostDelay: Int64 = 300_000

  private struct Attempts {
    var all = 0
    var counted = 0
    /// The refusals that stated a time.
    var timed = 0
    var completedBytes: Int64
  }

  private let hosts: HostStateStore
  private let settings: FetchSettings
  private let clock: any WallClock
  private let zone: any LocalZone
  private let attempts = Mutex<[String: Attempts]>([:])
  /// The shown URL of each part's source from which the whole is requested next, because it has
  /// refused all requests for the rest; empty once that was requested.
  private let wholeRequests = Mutex<[String: (url: String, held: Int64)]>([:])
  /// The sources of each part that failed permanently in this run, with their failures.
  private let failed = Mutex<[String: [String: ErrorCode]]>([:])

  init(
    _ hosts: HostStateStore, settings: FetchSettings, environment: FetchEnvironment
  ) {
    self.hosts = hosts
    self.settings = settings
    clock = environment.clock
    zone = environment.zone
  }

  /// Marks the sources of a part that failed permanently in this run, and the one to request
  /// without a range once.
  func marked(_ sources: [TransferSource], of part: PolicySubject) -> [TransferSource] {
    let failed = failedSources(of: part)
    let whole = wholeRequests.withLock { requests in
      defer { requests[part.key]?.url = "" }
      return requests[part.key]?.url
    }
    return sources.map { source in
      var source = source
      source.hasFailed = source.hasFailed || failed[source.url] != nil
      source.requestsWhole = URLRedaction.redacted(source.url) == whole
      return source
    }
  }

  /// Adds sources of a part that failed permanently, so that no later pass of the run requests
  /// them.
  ///
  /// - Returns: all sources that failed in this run, by URL.
  func failedSources(
    of part: PolicySubject, adding more: [String: ErrorCode] = [:]
  ) -> [String: ErrorCode] {
    failed.withLock { failed in
      if !more.isEmpty { failed[part.key, default: [:]].merge(more) { $1 } }
      return failed[part.key] ?? [:]
    }
  }

  /// Maps the error of a transfer to the failure that is recorded.
  ///
  /// - Throws: `WorkEnded.postponed` if the part goes back to the queue without a record.
  func failure(
    _ error: TransferError, of part: PolicySubject, held: Int64
  ) throws -> Failure {
    switch error {
    case .rateLimited(_, _, let until?):
      // The server's time is the least wait: repeated refusals lengthen it.
      return rateLimitFailure(error, max(until, afterPause(number: countTimed(part, held: held))))
    case .throttled(_, let until): throw postponed(error, until)
    case .passedOver(let failure) where failure.code == .rateLimited:
      throw WorkEnded.postponed(failure)
    case .busy(let host, let url, let status, let until, let wasSlowest):
      guard let count = count(part, held: held, wasSlowest) else {
        if held > 0, plansWhole(of: part, at: url, held) { throw postponed(error, until) }
        if wasSlowest { suspend(host, of: url, status: status) }
        let summary = "'\(url)' responded with status \(status)"
        guard status == 429 else { return Failure(.httpFailing, summary) }
        // Later than any wait of this run, whose remaining time is computed after this moment.
        let later = clock.now.adding(milliseconds: settings.maxWait + 1000)
        return Failure(.rateLimited, summary, retryAt: later)
      }
      throw postponed(error, max(until, afterPause(number: count)))
    default: return Failure(error)
    }
  }

  /// The end of a random pause (full jitter), whose limit doubles with each refusal.
  private func afterPause(number: Int) -> Timestamp {
    let longest = min(
      settings.transfer.backoffCap, settings.transfer.backoffBase << Int64(min(20, number - 1)))
    return clock.now.adding(milliseconds: Int64.random(in: 0...longest))
  }

  /// Counts a refusal of a part with a time; returns the number since bytes arrived.
  private func countTimed(_ part: PolicySubject, held: Int64) -> Int {
    attempts.withLock { attempts in
      var known = attempts[part.key] ?? Attempts(completedBytes: held)
      if held > known.completedBytes { known = Attempts(completedBytes: held) }
      known.timed += 1
      attempts[part.key] = known
      return known.timed
    }
  }

  /// Counts a refusal of a part by a busy host.
  ///
  /// - Returns: the number of refusals since bytes arrived; nil once the attempts are used up.
  private func count(_ part: PolicySubject, held: Int64, _ wasSlowest: Bool) -> Int? {
    // The whole was refused as well.
    if wholeRequests.withLock({ $0[part.key]?.held }) == held { return nil }
    return attempts.withLock { attempts in
      var known = attempts[part.key] ?? Attempts(completedBytes: held)
      if held > known.completedBytes { known = Attempts(completedBytes: held) }
      known.all += 1
      let limit = max(1, settings.transfer.attempts)
      if wasSlowest || known.all > limit { known.counted += 1 }
      let isLast = known.counted >= limit
      attempts[part.key] = isLast ? nil : known
      return isLast ? nil : known.all
    }
  }

  /// Plans a request of the whole file; returns false if it was sent for these held bytes before.
  private func plansWhole(of part: PolicySubject, at url: String, _ held: Int64) -> Bool {
    wholeRequests.withLock { requests in
      guard requests[part.key]?.held != held else { return false }
      requests[part.key] = (url, held)
      return true
    }
  }

  /// Suspends requests to all URLs of a host that refused all attempts at its slowest pace.
  private func suspend(_ host: HostName, of url: String, status: Int) {
    let until = clock.now.adding(milliseconds: Self.busyHostDelay)
    hosts.isDown(host, HostPenalty(until: until, status: status, url: url))
  }

  /// Ends the work on a part until a time, if the run waits that long; otherwise the part becomes
  /// `waiting`.
  private func postponed(_ error: TransferError, _ until: Timestamp) -> any Error {
    let failure = rateLimitFailure(error, until)
    let wait = until.milliseconds - clock.now.milliseconds
    return wait <= settings.serverWaits.maxWait ? WorkEnded.postponed(failure) : failure
  }

  private func rateLimitFailure(_ error: TransferError, _ until: Timestamp) -> Failure {
    Failure(.rateLimited, "\(error.summary) until \(zone.text(of: until))", retryAt: until)
  }
}
