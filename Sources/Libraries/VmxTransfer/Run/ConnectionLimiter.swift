import Synchronization

/// Counts this process's connections to each host and learns how many each host accepts.
///
/// Only additional connections are ever refused here, never the first one of a part. No caller
/// waits for a connection. Refusals by a host are remembered as long as the process runs.
final class ConnectionLimiter: Sendable {
  private struct Host {
    /// The first connections of parts (also between two attempts) and the additional ones.
    var open = 0
    var additional = 0
    /// The number of connections that the host accepts, once it has refused one.
    var maxConnections = Int.max
    /// The earliest time for another additional connection, in milliseconds on the monotonic clock.
    var notBefore: Int64 = 0
    /// The throughput measured with several connections for one part.
    var experience = ConnectionScaling.Experience()

    mutating func close() {
      open -= 1
      additional -= 1
    }
  }

  private let limit: Int
  private let hosts = Mutex<[RequestURL.Origin: Host]>([:])

  /// Creates a limiter with this limit of connections for each host.
  init(limit: Int) {
    self.limit = limit
  }

  /// Counts the first connection of a part.
  func acquire(_ host: RequestURL.Origin) {
    hosts.withLock { $0[host, default: Host()].open += 1 }
  }

  /// Releases what `acquire` counted.
  func release(_ host: RequestURL.Origin) {
    hosts.withLock { $0[host, default: Host()].open -= 1 }
  }

  /// Counts an additional connection if the host may have one more; returns whether it may.
  func acquireAdditional(_ host: RequestURL.Origin, now: Int64) -> Bool {
    change(host) { host in
      guard host.open < min(limit, host.maxConnections), now >= host.notBefore else { return false }
      host.open += 1
      host.additional += 1
      return true
    }
  }

  /// Releases what `acquireAdditional` counted.
  func releaseAdditional(_ host: RequestURL.Origin) {
    change(host) { $0.close() }
  }

  /// Releases an additional connection that the host refused.
  ///
  /// Limits the host to the connections that remain, and adds none before `until`.
  func recordRefusal(_ host: RequestURL.Origin, until: Int64 = 0) {
    change(host) { host in
      host.close()
      host.maxConnections = max(1, min(host.maxConnections, host.open))
      host.notBefore = max(host.notBefore, until)
    }
  }

  /// Lowers the limit by one additional connection, for the first connection of a part that the
  /// host refused.
  ///
  /// Adds no connection before `until`. Returns whether it lowered the limit.
  func lowerLimit(_ host: RequestURL.Origin, until: Int64 = 0) -> Bool {
    change(host) { host in
      host.notBefore = max(host.notBefore, until)
      guard host.additional > 0, host.open - 1 < host.maxConnections else { return false }
      host.maxConnections = host.open - 1
      return true
    }
  }

  /// Releases one additional connection if the host has more than it accepts.
  ///
  /// Returns whether the caller has to close one of its own.
  func releaseExcess(_ host: RequestURL.Origin) -> Bool {
    change(host) { host in
      guard host.additional > 0, host.open > host.maxConnections else { return false }
      host.close()
      return true
    }
  }

  /// The throughput measured with several connections for one part of this host so far.
  func experience(_ host: RequestURL.Origin) -> ConnectionScaling.Experience {
    change(host) { $0.experience }
  }

  /// Records the experience of another part.
  func recordExperience(_ measurement: ConnectionScaling.Experience, _ host: RequestURL.Origin) {
    change(host) { host in
      let isMore = measurement.connections >= host.experience.connections
      if measurement.isComplete || isMore { host.experience = measurement }
    }
  }

  @discardableResult
  private func change<Result: Sendable>(
    _ host: RequestURL.Origin, _ body: (inout Host) -> Result
  ) -> Result {
    hosts.withLock { body(&$0[host, default: Host()]) }
  }
}
