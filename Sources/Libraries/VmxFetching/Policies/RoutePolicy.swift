import Synchronization
import VmxModel
import VmxSystem

/// Refuses parts if this machine has no network route to their sources.
///
/// Routes to addresses are checked every second. Routes to host names are checked only after a
/// failure, because a name requires a lookup first.
final class RoutePolicy: TransferPolicy {
  private static let shortestDelay: Int64 = 1000
  private static let maxDelay: Int64 = 30_000

  let code = ErrorCode.offline
  private let hasRoute: @Sendable (String) -> Bool
  /// Whether a route to each host exists, as of the last second.
  private let routes: TimedCache<String, Bool>
  /// The hosts to which no route existed when they were last checked.
  private let unreachable = Mutex<Set<String>>([])
  /// The number of connection losses of each part since bytes last arrived, by the part's key.
  private let losses = Mutex<[String: Int]>([:])

  /// - Parameter hasRoute: returns whether there is a route to a host.
  init(
    _ environment: FetchEnvironment,
    hasRoute: @escaping @Sendable (String) -> Bool = { hasNetworkRoute(to: $0) }
  ) {
    self.hasRoute = hasRoute
    routes = TimedCache(validity: 1000, environment)
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) -> Failure? {
    guard !part.hosts.isEmpty, !part.hosts.contains(where: { isReachable($0, part) }) else {
      return nil
    }
    return Failure(code, "no network route to '\(part.hosts.joined(separator: "', '"))'")
  }

  /// A lost network affects all parts, so bytes received for other parts justify a wait.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsOpenWait(ifActive: true)
  }

  /// Returns a delay that doubles until bytes arrive again.
  func delay(afterRefusalOf part: PolicySubject) -> Int64 {
    let count = losses.withLock { losses in
      losses[part.key, default: 0] += 1
      return losses[part.key, default: 1]
    }
    return min(Self.maxDelay, Self.shortestDelay << min(10, count - 1))
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    switch event {
    case .received: losses.withLock { $0[part.key] = nil }
    case .connectionLost: for host in part.hosts { _ = check(host) }
    case .ended: break
    }
  }

  private func isReachable(_ host: String, _ part: PolicySubject) -> Bool {
    guard part.hasAddress || unreachable.withLock({ $0.contains(host) }) else { return true }
    return routes[host] ?? check(host)
  }

  private func check(_ host: String) -> Bool {
    let isReachable = hasRoute(host)
    routes.set(isReachable, for: host)
    unreachable.withLock { hosts in
      if isReachable { hosts.remove(host) } else { hosts.insert(host) }
    }
    return isReachable
  }
}
