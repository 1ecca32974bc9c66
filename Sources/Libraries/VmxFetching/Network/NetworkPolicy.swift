import Synchronization
import VmxModel
import VmxSystem

/// What the network itself allows: whether it is metered, what of its bytes of the month is left,
/// whether it leads there at all.
final class NetworkPolicy: Sendable {
  /// Milliseconds between two looks at the routes for one part.
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
  /// What the last look at the routes to a host told, and when that was.
  private let looks = Mutex<[String: (at: Int64, leads: Bool)]>([:])

  /// - Parameters:
  ///   - marks: whether an episode may use a metered network.
  ///   - leads: whether a route leads to a host.
  ///   - moment: milliseconds of a clock that never jumps.
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

  /// Waits until enough is known of the network to judge a part.
  ///
  /// - Throws: `resources-short` where no thread can be had.
  func begin(_ part: PolicySubject, shouldStop: () -> Bool) throws(ProcessError) {
    try watch.begin(loopback: part.isLoopback, shouldStop: shouldStop)
  }

  /// What refuses a part at this moment; nil if nothing does.
  ///
  /// - Throws: what the store throws.
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

  /// Counts bytes that came for a part.
  func received(_ bytes: Int64, of part: PolicySubject, now: Timestamp) {
    reaches.withLock { $0[part.key]?.losses = 0 }
    guard isCounted(part), let reading = watch.reading(loopback: part.isLoopback) else { return }
    do {
      try ledger.add(bytes, to: account(reading.name, now))
    } catch {
      // A store that has no room now gets them with the next ones.
    }
  }

  /// Writes down what was counted.
  ///
  /// - Throws: what the store throws.
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

  /// Loopback is no network, unless the person gave this one a name.
  private func isCounted(_ part: PolicySubject) -> Bool {
    !part.isLoopback || source.name != nil
  }
}

// Whether a route leads there.
extension NetworkPolicy {
  /// Judges a failed attempt: where no route leads to a part any more, it is held from now on.
  func failed(_ part: PolicySubject) {
    guard !isReachable(part, since: moment()) else { return }
    reaches.withLock { $0[part.key, default: Reach()].isLost = true }
  }

  /// Milliseconds to wait at least after the network was lost; longer each time nothing came since.
  func pause(afterLossOf part: PolicySubject) -> Int64 {
    let losses = reaches.withLock { reaches in
      reaches[part.key, default: Reach()].losses += 1
      return reaches[part.key]?.losses ?? 1
    }
    return min(Self.longestPause, Self.shortestPause << min(10, losses - 1))
  }

  /// Addresses are looked up each second; names, whose addresses nobody knows without asking, only
  /// after a failure.
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

  /// - Parameter time: parts share what was seen after it.
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
