import Synchronization
import VmxModel
import VmxSystem

/// Refuses parts to whose sources no network leads.
///
/// Routes to addresses are checked each second. Routes to names are checked only after a failure,
/// because a name needs a lookup first.
final class RoutePolicy: TransferPolicy {
  /// The interval between two checks of the route to one host, in milliseconds.
  private static let interval: Int64 = 1000
  private static let shortestDelay: Int64 = 1000
  private static let longestDelay: Int64 = 30_000

  let code = ErrorCode.offline
  private let moment: @Sendable () -> Int64
  private let leads: @Sendable (String) -> Bool
  /// The result and time of the last route check of each host.
  private let routes = Mutex<[String: (leads: Bool, at: Int64)]>([:])
  /// The number of losses of each part since bytes arrived, by its key.
  private let losses = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - moment: returns milliseconds of the monotonic clock.
  ///   - leads: returns whether there is a route to a host.
  init(
    moment: @escaping @Sendable () -> Int64,
    leads: @escaping @Sendable (String) -> Bool = { hasNetworkRoute(to: $0) }
  ) {
    self.moment = moment
    self.leads = leads
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) -> Failure? {
    guard !part.hosts.isEmpty, !part.hosts.contains(where: { isReachable($0, part) }) else {
      return nil
    }
    return Failure(code, "no network leads to '\(part.hosts.joined(separator: "', '"))'")
  }

  /// A lost network affects all parts, so the bytes of others justify a wait.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsOpenWait(ifActive: true)
  }

  /// Returns a delay that doubles until bytes arrive again.
  func delay(afterRefusalOf part: PolicySubject) -> Int64 {
    let count = losses.withLock { losses in
      losses[part.key, default: 0] += 1
      return losses[part.key, default: 1]
    }
    return min(Self.longestDelay, Self.shortestDelay << min(10, count - 1))
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    switch event {
    case .received: losses.withLock { $0[part.key] = nil }
    case .connectionLost: for host in part.hosts { _ = check(host) }
    case .ended: break
    }
  }

  /// Whether a route to a host exists, as of the last second.
  private func isReachable(_ host: String, _ part: PolicySubject) -> Bool {
    let last = routes.withLock { $0[host] }
    guard part.hasAddress || last?.leads == false else { return true }
    if let last, moment() - last.at < Self.interval { return last.leads }
    return check(host)
  }

  private func check(_ host: String) -> Bool {
    let route = (leads: leads(host), at: moment())
    routes.withLock { $0[host] = route }
    return route.leads
  }
}
