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
  ///   - observer: as for `run`.
  /// - Throws: `TransferError`; `body-too-large` beyond the limit.
  package func fetchDocument(
    _ request: HTTPRequest, observer: any TransferObserver
  ) throws(TransferError) -> HTTPResponse {
    let session = TransferSession(self, observer)
    session.ignoresRetryAfter = request.ignoresRetryAfter
    session.hasSecretURL = request.hasSecretURL
    return try DocumentFetch(request, session).perform()
  }

  /// Cancels all running transfers, each recording its held bytes, then ends the thread.
  package func stop() {
    loop.stop()
  }
}

/// The reason to end a transfer before its file is whole.
package enum StopRequest: Sendable, Equatable {
  /// The user interrupts the transfer, or the process ends.
  case interrupted
  /// The user's request or a policy holds the transfer, with its own code and time.
  case held(Failure)
}

/// Receives the progress of one transfer and may stop it. Called on the thread that runs the job.
package protocol TransferObserver: Sendable {
  /// Called before a response whose head announces the size is received. Returns a request to stop,
  /// or nil if its bytes may be kept. May block.
  ///
  /// - Parameters:
  ///   - total: the announced size of the whole in bytes.
  ///   - held: the bytes of the file in the partial file.
  func announced(total: Int64, held: Int64) -> StopRequest?
  /// Reports the progress, at least four times a second while bytes may arrive. If no size was
  /// announced, it is called before each piece is kept, and `stop` is read after it.
  ///
  /// - Parameters:
  ///   - held: the bytes of the file in the partial file.
  ///   - total: the size of the whole in bytes, once known.
  ///   - received: the body bytes received from the network in this run, discarded ones included.
  ///   - connections: the number of connections that fetch the part.
  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int)
  /// Reports that all bytes have arrived and that no remaining verification can require more. The
  /// network is free for other transfers.
  func allBytesReceived()
  /// Reports that all bytes have arrived and that their digests are compared from now on.
  func verifying()
  /// Reports that an attempt failed and that the next one follows after this many milliseconds.
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64)
  /// Reports that the first request is being sent.
  func requestSent()
  /// Reports that a host has sent the head of a response.
  func responseReceived(_ host: HostName)
  /// Reports that a source is tried from now on. Returns the reason not to request it now; the next
  /// source is tried then.
  func willTry(source url: String) -> Failure?
  /// The reason to give up the source that is being tried, once there is one; read as often as
  /// `stop`. Other sources of the part are tried then.
  var sourceRefusal: Failure? { get }
  /// Reports that a source is given up and the next one is tried, if there is one.
  func abandoned(source url: String, after failure: Failure)
  /// Reports a note that is not a failure, such as an unusable checksum file. Its URLs contain no
  /// user, password or query.
  func noted(_ text: String)
  /// The request to stop, once there is one; read at least four times a second.
  var stop: StopRequest? { get }
}

extension TransferObserver {
  /// Returns nil by default.
  package func announced(total: Int64, held: Int64) -> StopRequest? { nil }
  /// Does nothing by default.
  package func allBytesReceived() {}
  /// Does nothing by default.
  package func requestSent() {}
  /// Does nothing by default.
  package func responseReceived(_ host: HostName) {}
  /// Does nothing by default.
  package func verifying() {}
  /// Returns nil by default.
  package func willTry(source url: String) -> Failure? { nil }
  /// Nil by default.
  package var sourceRefusal: Failure? { nil }
  /// Does nothing by default.
  package func abandoned(source url: String, after failure: Failure) {}
}
