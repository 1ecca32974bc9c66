import Synchronization
import VmxModel
import VmxSystem

/// The restrictions of the network: whether it is metered, the rest of its monthly cap, and whether
/// a route to the source exists.
final class NetworkPolicy: Sendable {
  /// The interval between two checks of the routes for one part, in milliseconds.
  private static let betweenLooks: Int64 = 1000
  private static let shortestPause: Int64 = 1000
  private static let longestPause: Int64 = 30_000

  private struct Reach {
    var lookedAt: Int64 = 0
    var isLost = false
    var losses = 0
  }

  private let watch: NetworkWatch
  private let source: NetworkSource
  private let ledger: NetworkLedger
  private let marks: @Sendable (EpisodeID) throws -> Bool
  private let leads: @Sendable (String) -> Bool
  private let allowsMetered: Bool
  private let cap: ByteCount?
  private let zone: any LocalZone
  private let moment: @Sendable () -> Int64
  private let reaches = Mutex<[String: Reach]>([:])
  /// The result and time of the last route check of each host.
  private let looks = Mutex<[String: (at: Int64, leads: Bool)]>([:])

  /// - Parameters:
  ///   - marks: returns whether an episode may use a metered network.
  ///   - leads: returns whether there is a route to a host.
  ///   - moment: returns milliseconds of the monotonic clock.
  init(
    _ settings: PolicySettings, source: NetworkSource, ledger: NetworkLedger, zone: any LocalZone,
    moment: @escaping @Sendable () -> Int64, leads: @escaping @Sendable (String) -> Bool,
    marks: @escaping @Sendable (EpisodeID) throws -> Bool
  ) {
    self.source = source
    self.ledger = ledger
    self.marks = marks
    self.leads = leads
    self.zone = zone
    self.moment = moment
    watch = NetworkWatch(source)
    allowsMetered = settings.allowsMetered
    cap = settings.cap
  }

  /// Waits until the state of the network is known well enough to judge a part.
  ///
  /// - Throws: `resources-short` if no thread can be started.
  func begin(_ part: PolicySubject, shouldStop: () -> Bool) throws(ProcessError) {
    try watch.begin(loopback: part.isLoopback, shouldStop: shouldStop)
  }

  /// The current refusal of a part; nil if it may be transferred.
  ///
  /// - Throws: errors of the store.
  func refusal(of part: PolicySubject, now: Timestamp) throws -> Failure? {
    if isLost(part) {
      return Failure(.offline, "no network leads to '\(part.hosts.joined(separator: "', '"))'")
    }
    guard let reading = watch.reading(loopback: part.isLoopback) else { return nil }
    if reading.verdict.holds(loopback: part.isLoopback), !allowsMetered, try !marks(part.episode) {
      return Failure(
        .networkMetered,
        "'\(part.episode)' waits for a network that is not metered, as \(reading.verdict.source) "
          + "says of this one")
    }
    return try refusal(ofNetwork: reading.name, part, now)
  }

  /// Counts the bytes received for a part.
  func received(_ bytes: Int64, of part: PolicySubject, now: Timestamp) {
    reaches.withLock { $0[part.key]?.losses = 0 }
    guard isCounted(part), let reading = watch.reading(loopback: part.isLoopback) else { return }
    do {
      try ledger.add(bytes, to: account(reading.name, now))
    } catch {
      // If the store is full, the bytes are recorded with the next ones.
    }
  }

  /// Records the counted bytes.
  ///
  /// - Throws: errors of the store.
  func end() throws {
    try ledger.write()
  }

  private func refusal(
    ofNetwork name: String, _ part: PolicySubject, _ now: Timestamp
  ) throws -> Failure? {
    guard let cap, isCounted(part), try ledger.total(account(name, now)) >= cap.bytes else {
      return nil
    }
    return Failure(
      .capReached, "the \(cap.forPeople) of this month have come over the network '\(name)'",
      retryAt: zone.moment(zone.local(now).nextMonth))
  }

  private func account(_ name: String, _ now: Timestamp) -> NetworkLedger.Account {
    NetworkLedger.Account(network: name, month: zone.local(now).monthName)
  }

  /// Whether the bytes of a part count. Loopback counts only if the user has named the network.
  private func isCounted(_ part: PolicySubject) -> Bool {
    !part.isLoopback || source.name != nil
  }
}

// The check for a route to a source.
extension NetworkPolicy {
  /// Checks the routes after a failed attempt; a part without a route is held from now on.
  func failed(_ part: PolicySubject) {
    guard !isReachable(part, since: moment()) else { return }
    reaches.withLock { $0[part.key, default: Reach()].isLost = true }
  }

  /// The minimum wait after the network was lost, in milliseconds; it doubles until bytes arrive
  /// again.
  func pause(afterLossOf part: PolicySubject) -> Int64 {
    let losses = reaches.withLock { reaches in
      reaches[part.key, default: Reach()].losses += 1
      return reaches[part.key]?.losses ?? 1
    }
    return min(Self.longestPause, Self.shortestPause << min(10, losses - 1))
  }

  /// Whether no route to the part is left.
  ///
  /// Routes to addresses are checked each second. Routes to names are checked only after a failure,
  /// because a name needs a lookup first.
  private func isLost(_ part: PolicySubject) -> Bool {
    let now = moment()
    let isDue = reaches.withLock { reaches in
      var reach = reaches[part.key] ?? Reach()
      guard reach.isLost || part.hasAddress, now - reach.lookedAt >= Self.betweenLooks else {
        return false
      }
      reach.lookedAt = now
      reaches[part.key] = reach
      return true
    }
    guard isDue else { return reaches.withLock { $0[part.key]?.isLost ?? false } }
    let isLost = !isReachable(part, since: now - Self.betweenLooks)
    reaches.withLock { $0[part.key]?.isLost = isLost }
    return isLost
  }

  /// - Parameter time: route checks after this time are reused.
  private func isReachable(_ part: PolicySubject, since time: Int64) -> Bool {
    part.hosts.isEmpty || part.hosts.contains { isReachable($0, since: time) }
  }

  private func isReachable(_ host: String, since time: Int64) -> Bool {
    if let look = looks.withLock({ $0[host] }), look.at > time { return look.leads }
    let look = (at: moment(), leads: leads(host))
    looks.withLock { $0[host] = look }
    return look.leads
  }
}
