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
  private let settings: TransferSettings
  private let clock: any WallClock
  private let loop: ConnectionLoop
  private let hosts: ConnectionLimiter
  private let memory: any HostMemory
  private let digests = DigestBatcher()
  private let boot = bootID()

  /// Starts the engine's thread.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(_ settings: TransferSettings, clock: any WallClock) throws(ProcessError) {
    self.settings = settings
    self.clock = clock
    loop = try ConnectionLoop(settings)
    hosts = ConnectionLimiter(limit: settings.perHost)
    memory = settings.hostMemory ?? OwnHostMemory()
  }

  deinit { loop.stop() }

  /// Fetches one part into its partial file.
  ///
  /// Continues an earlier partial download and never joins bytes of two versions. Handles retries,
  /// pauses, `Retry-After`, redirects and mirrors.
  ///
  /// On return all bytes are written and verified as far as possible, but not flushed. `.part.json`
  /// may exist; it is useless once the caller has recorded the result. On an error the held bytes
  /// are recorded for the next run.
  ///
  /// - Parameter observer: asked at least four times a second; a stop ends the run within a second.
  /// - Throws: `TransferError`; `rate-limited` with `retryAt` for waits longer than `sitThrough`.
  package func run(
    _ job: TransferJob, observer: any TransferObserver
  ) throws(TransferError) -> TransferResult {
    let context = RunContext(
      job, settings, clock, loop, hosts, memory, digests, boot: boot, observer)
    digests.expectsOne()
    defer { digests.expectsOneLess() }
    var run = try TransferRun(context)
    return try run.perform()
  }

  /// Cancels all running transfers, each recording its held bytes, then ends the thread.
  package func stop() {
    loop.stop()
  }
}
