import Synchronization

/// How many connections each host has from this process, and how many it puts up with.
///
/// The first connection of a part is never refused here, only additional ones; nobody waits for
/// one. What a host has refused is remembered as long as the process runs.
final class ConnectionLimiter: Sendable {
  private struct Host {
    /// First connections of parts, those between two attempts included, and additional ones.
    var open = 0
    var additional = 0
    /// As many as it has put up with, once it has refused one.
    var most = Int.max
    /// When it wants to be asked for more again, in milliseconds of `MonotonicTime`.
    var notBefore: Int64 = 0
    /// What several connections for one part have brought.
    var experience = ConnectionScaling.Experience()

    mutating func close() {
      open -= 1
      additional -= 1
    }
  }

  private let limit: Int
  private let hosts = Mutex<[RequestURL.Origin: Host]>([:])

  /// A book by which a host gets so many connections at most.
  init(limit: Int) {
    self.limit = limit
  }

  /// Counts the first connection of a part.
  func enter(_ host: RequestURL.Origin) {
    hosts.withLock { $0[host, default: Host()].open += 1 }
  }

  /// Ends what `enter` began.
  func leave(_ host: RequestURL.Origin) {
    hosts.withLock { $0[host, default: Host()].open -= 1 }
  }

  /// Counts an additional connection if the host may have one more; whether it may.
  func enterAdditional(_ host: RequestURL.Origin, now: Int64) -> Bool {
    change(host) { host in
      guard host.open < min(limit, host.most), now >= host.notBefore else { return false }
      host.open += 1
      host.additional += 1
      return true
    }
  }

  /// Ends what `enterAdditional` began.
  func leaveAdditional(_ host: RequestURL.Origin) {
    change(host) { $0.close() }
  }

  /// Ends an additional connection that the host did not want: it gets no more than stood without
  /// it, and none before that time.
  func refuses(_ host: RequestURL.Origin, until: Int64 = 0) {
    change(host) { host in
      host.close()
      host.most = max(1, min(host.most, host.open))
      host.notBefore = max(host.notBefore, until)
    }
  }

  /// Makes room for the first connection of a part that the host refused, by one additional
  /// connection fewer; whether there is one. None is added before that time.
  func makesRoom(_ host: RequestURL.Origin, until: Int64 = 0) -> Bool {
    change(host) { host in
      host.notBefore = max(host.notBefore, until)
      guard host.additional > 0, host.open - 1 < host.most else { return false }
      host.most = host.open - 1
      return true
    }
  }

  /// Ends one additional connection if the host has more than it puts up with; whether the caller
  /// has to close one of its own.
  func closesOne(_ host: RequestURL.Origin) -> Bool {
    change(host) { host in
      guard host.additional > 0, host.open > host.most else { return false }
      host.close()
      return true
    }
  }

  /// What several connections for one part have brought from a host so far.
  func experience(_ host: RequestURL.Origin) -> ConnectionScaling.Experience {
    change(host) { $0.experience }
  }

  /// Takes note of what another part has learned.
  func learns(_ lesson: ConnectionScaling.Experience, _ host: RequestURL.Origin) {
    change(host) { host in
      let isMore = lesson.connections >= host.experience.connections
      if lesson.isComplete || isMore { host.experience = lesson }
    }
  }

  @discardableResult
  private func change<Result: Sendable>(
    _ host: RequestURL.Origin, _ body: (inout Host) -> Result
  ) -> Result {
    hosts.withLock { body(&$0[host, default: Host()]) }
  }
}
