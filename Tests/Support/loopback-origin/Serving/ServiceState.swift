import Synchronization

/// The state that the origin keeps between requests.
final class ServiceState: Sendable {
  private struct Memory {
    var connections = 0
    var arrivals = 0
    var counts: [String: Int] = [:]
    var inWork: [String: Int64] = [:]
    var patience: [String: Int64] = [:]
    var signatures: [String: Signature] = [:]
    var pacers: [String: Pacer] = [:]
    /// The times of the requests that each budget has admitted.
    var requests: [String: [Int64]] = [:]
  }

  private struct Signature {
    let expires: Int64
    var usesLeft: Int64
  }

  /// The result of the check whether a request came too early.
  enum Welcome {
    case served
    /// The first request: the response states when to retry.
    case told
    /// The request came too early; the waiting period restarts.
    case early
  }

  private let memory = Mutex(Memory())

  /// Returns the number of a new connection, starting at 1.
  func nextConnection() -> Int {
    memory.withLock {
      $0.connections += 1
      return $0.connections
    }
  }

  /// Returns the number of a new request, starting at 1.
  func nextRequest() -> Int {
    memory.withLock {
      $0.arrivals += 1
      return $0.arrivals
    }
  }

  /// Counts a request under a key; returns 1 for the first.
  func count(_ key: String) -> Int {
    memory.withLock {
      $0.counts[key, default: 0] += 1
      return $0.counts[key, default: 0]
    }
  }

  /// Admits a request unless the maximum number is being served; the caller must call `leave` for
  /// an admitted one.
  func enter(_ limit: Gate.Limit) -> Bool {
    memory.withLock {
      guard $0.inWork[limit.key, default: 0] < limit.requests else { return false }
      $0.inWork[limit.key, default: 0] += 1
      return true
    }
  }

  /// Ends a request that `enter` admitted.
  func leave(_ limit: Gate.Limit) {
    memory.withLock { $0.inWork[limit.key, default: 0] -= 1 }
  }

  /// Admits a request unless the maximum number was admitted within the time.
  func spend(_ budget: Gate.Budget) -> Bool {
    memory.withLock {
      let now = Moment.now
      var times = $0.requests[budget.key] ?? []
      times.removeAll { now - $0 >= budget.milliseconds }
      let isAdmitted = times.count < budget.requests
      if isAdmitted { times.append(now) }
      $0.requests[budget.key] = times
      return isAdmitted
    }
  }

  /// Determines whether a request has observed the waiting period.
  func welcome(_ patience: Gate.QuietPeriod) -> Welcome {
    memory.withLock {
      let now = Moment.now
      let until = $0.patience[patience.key]
      if let until, now >= until { return .served }
      $0.patience[patience.key] = now + patience.seconds * 1000
      return until == nil ? .told : .early
    }
  }

  /// Creates a signature for the key of a rule.
  func sign(_ signing: Gate.Signing) -> String {
    memory.withLock {
      let name = String($0.signatures.count + 1)
      let (expires, overflow) = Moment.now.addingReportingOverflow(signing.milliseconds)
      $0.signatures[name + signing.key] = Signature(
        expires: overflow ? .max : expires, usesLeft: signing.uses)
      return name
    }
  }

  /// Uses a signature once; returns false if it is unknown, used up or expired.
  func use(_ name: String, of signing: Gate.Signing) -> Bool {
    memory.withLock {
      let key = name + signing.key
      guard let signature = $0.signatures[key], signature.usesLeft > 0,
        Moment.now <= signature.expires
      else { return false }
      $0.signatures[key]?.usesLeft -= 1
      return true
    }
  }

  /// Returns the rate limit that all responses under the key share.
  func pacer(_ key: String, bytesPerSecond: Int64) -> Pacer {
    memory.withLock {
      if let pacer = $0.pacers[key] { return pacer }
      let pacer = Pacer(bytesPerSecond: bytesPerSecond)
      $0.pacers[key] = pacer
      return pacer
    }
  }
}
