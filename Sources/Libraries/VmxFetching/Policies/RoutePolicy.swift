import Synchronization
import VmxModel
import VmxSystem

/// Refuses parts to whose sources no network leads.
///
/// Routes to addresses are checked each second. Routes to names are checked only after a failure,
/// because a name needs a lookup first.
final class RoutePolicy: TransferPolicy {
  /// The interval between two checks of the routes for one part, in milliseconds.
  private static let interval: Int64 = 1000
  private static let shortestDelay: Int64 = 1000
  private static let longestDelay: Int64 = 30_000

  private struct Reach {
    var checkedAt: Int64 = 0
    var isLost = false
    var losses = 0
  }

  let code = ErrorCode.offline
  private let moment: @Sendable () -> Int64
  private let leads: @Sendable (String) -> Bool
  /// The state of each part, by its key.
  private let reaches = Mutex<[String: Reach]>([:])
  /// The result and time of the last route check of each host.
  private let hosts = Mutex<[String: (at: Int64, leads: Bool)]>([:])

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
    guard isLost(part) else { return nil }
    return Failure(code, "no network leads to '\(part.hosts.joined(separator: "', '"))'")
  }

  /// A lost network affects all parts, so the bytes of others justify a wait.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsOpenWait(ifActive: true)
  }

  /// Returns a delay that doubles until bytes arrive again.
  func delay(afterRefusalOf part: PolicySubject) -> Int64 {
    let losses = reaches.withLock { reaches in
      reaches[part.key, default: Reach()].losses += 1
      return reaches[part.key]?.losses ?? 1
    }
    return min(Self.longestDelay, Self.shortestDelay << min(10, losses - 1))
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    switch event {
    case .received: reaches.withLock { $0[part.key]?.losses = 0 }
    case .connectionLost where !isReachable(part, since: moment()):
      reaches.withLock { $0[part.key, default: Reach()].isLost = true }
    case .connectionLost, .ended: break
    }
  }

  private func isLost(_ part: PolicySubject) -> Bool {
    let now = moment()
    let isDue = reaches.withLock { reaches in
      var reach = reaches[part.key] ?? Reach()
      guard reach.isLost || part.hasAddress, now - reach.checkedAt >= Self.interval else {
        return false
      }
      reach.checkedAt = now
      reaches[part.key] = reach
      return true
    }
    guard isDue else { return reaches.withLock { $0[part.key]?.isLost ?? false } }
    let isLost = !isReachable(part, since: now - Self.interval)
    reaches.withLock { $0[part.key]?.isLost = isLost }
    return isLost
  }

  /// - Parameter time: route checks after this time are reused.
  private func isReachable(_ part: PolicySubject, since time: Int64) -> Bool {
    part.hosts.isEmpty
      || part.hosts.contains { host in
        if let last = hosts.withLock({ $0[host] }), last.at > time { return last.leads }
        let check = (at: moment(), leads: leads(host))
        hosts.withLock { $0[host] = check }
        return check.leads
      }
  }
}
