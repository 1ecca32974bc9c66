package import VmxModel
package import VmxSystem

/// Fetches parts over HTTP: all of a process on one thread of its own, over one set of
/// connections, several for one part where that pays.
///
/// Whoever runs a job blocks until it has ended; the bytes are written and digested on that
/// thread. One engine serves any number of such threads.
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
  /// Goes on with what an earlier run held, and never joins bytes of two versions. Retries,
  /// pauses, `Retry-After`, redirects and mirrors are inside. When it returns, all bytes are
  /// written and proven as far as they can be, but not flushed; `.part.json` may be there or not
  /// and is of no use once the caller has recorded the result. When it throws, what is held is
  /// recorded for the next run.
  ///
  /// - Parameter observer: asked at least four times a second; a stop ends the run within a
  ///   second.
  /// - Throws: `TransferError`; `rate-limited` with `retryAt` for waits longer than the settings
  ///   sit through.
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

  /// Ends all transfers that run, each with what it holds recorded, then the thread.
  package func stop() {
    loop.stop()
  }
}
