package import VmxModel
package import VmxSystem

/// Fetches parts over HTTP.
///
/// One thread performs all transfers of a process and shares their connections. A part uses several
/// connections where that increases the throughput.
///
/// The caller of `run` blocks until the job has ended; the bytes are written and hashed on the
/// caller's thread. One engine serves any number of callers.
///
/// ```swift
/// let engine = try TransferEngine(TransferSettings(), clock: clock)
/// let result = try engine.run(job, observer: observer)
/// engine.stop()
/// ```
package final class TransferEngine: Sendable {
  let settings: TransferSettings
  let clock: any WallClock
  let loop: ConnectionLoop
  /// The connections to each host, of all parts.
  let hosts: ConnectionLimiter
  /// The stored penalties and request budgets of the hosts.
  let memory: any HostMemory
  /// The schemes by which the origins accept user and password.
  let authentications = AuthenticationMemory()
  /// The hasher that the small files of all parts share.
  let digests = DigestBatcher()
  /// The id of this boot.
  let boot = bootID()

  /// Starts the engine's thread.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(_ settings: TransferSettings, clock: any WallClock) throws(ProcessError) {
    self.settings = settings
    self.clock = clock
    loop = try ConnectionLoop(settings)
    hosts = ConnectionLimiter(limit: settings.perHost)
    memory = settings.hostMemory ?? OwnHostMemory(settings, clock: clock)
  }

  deinit { loop.stop() }

  /// Fetches one part into its partial file.
  ///
  /// Continues an earlier partial download and never joins bytes of two versions. Handles retries,
  /// pauses, redirects and mirrors. It does not wait if a server requests a wait: that is left to
  /// the caller.
  ///
  /// On return all bytes are written and verified as far as possible, but not flushed. `.part.json`
  /// may exist; it is useless once the caller has recorded the result. On an error the held bytes
  /// are recorded for the next run.
  ///
  /// - Parameter observer: queried at least four times a second; a stop ends the run within a
  ///   second.
  /// - Throws: `TransferError`; `rate-limited` with `retryAt` if a host requests a wait.
  package func run(
    _ job: TransferJob, observer: any TransferObserver
  ) throws(TransferError) -> FoundBytes {
    digests.expectsOne()
    defer { digests.unregister() }
    let session = TransferSession(self, observer)
    session.ignoresRetryAfter = job.ignoresRetryAfter
    return try PartTransfer(job, session).perform()
  }

  /// Fetches one small document into memory, with the same rules for servers, addresses and secrets
  /// as for parts.
  ///
  /// The size limit holds for the decoded bytes and ends the transfer as soon as it is exceeded. A
  /// request that is not repeatable is repeated only if the server was not reached or refused it. A
  /// body is never sent to another origin.
  ///
  /// - Parameters:
  ///   - request: its URL contains neither user nor password, and its `secret` is resolved.
  ///   - settings: the time limits, attempts and host rules of this request; nil for the engine's.
  ///   - observer: as for `run`.
  /// - Throws: `TransferError`; `body-too-large` beyond the limit.
  package func fetchDocument(
    _ request: HTTPRequest, settings: TransferSettings? = nil, observer: any TransferObserver
  ) throws(TransferError) -> HTTPResponse {
    let session = TransferSession(self, observer, settings: settings)
    session.ignoresRetryAfter = request.ignoresRetryAfter
    session.hasSecretURL = request.hasSecretURL
    return try DocumentFetch(request, session).perform()
  }

  /// Cancels all running transfers, each recording its held bytes, then ends the thread.
  package func stop() {
    loop.stop()
  }
}
