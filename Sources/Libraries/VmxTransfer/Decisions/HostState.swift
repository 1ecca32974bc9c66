package import VmxModel

// Three things limit the requests to a host, and all processes of a library share them:
//
// - A URL refused with Retry-After is not requested before that time.
// - The host as a whole is quiet after a second such refusal for another URL within a minute, or
//   where its answer names a RateLimit policy.
// - A host that refuses without a time has a pace. It begins at half the rate of its responses.
//   Each refusal doubles the interval between two requests, and each response shortens it, more
//   with every response since the last refusal. A single refusal among many responses is the
//   failure of one request and changes nothing. A pace that has become fast enough is forgotten,
//   and so is one without a refusal for an hour. A host that refuses everything is down: it gets a
//   retry time instead of a pace.

/// The limits that a host has set, as all processes know them.
package struct HostState: Sendable, Equatable {
  /// A URL that the host has refused for a time.
  package struct Refusal: Sendable, Equatable {
    /// `StableHash` of the URL, which may contain tokens.
    package let url: UInt64
    /// The time of the response.
    package let at: Timestamp
    /// The end of the wait, the status and the shown form of the URL.
    package let penalty: HostPenalty

    /// Creates a refusal.
    package init(url: UInt64, at: Timestamp, penalty: HostPenalty) {
      self.url = url
      self.at = at
      self.penalty = penalty
    }
  }

  /// A longer penalty in a record results from a wrong clock and is ignored.
  private static let maxPenalty: Int64 = 24 * 3600 * 1000
  /// The time in milliseconds within which a second refusal concerns the host as a whole.
  private static let near: Int64 = 60_000
  /// The number of refusals that are kept; the oldest are dropped first.
  private static let maxRefusals = 64

  /// The wait for all URLs of the host.
  package var hostPenalty: HostPenalty?
  /// The waits for single URLs, in the order of the responses.
  package var refusals: [Refusal] = []
  /// The pace of the host; nil if it refuses no request.
  package var pace: HostPace?

  /// Creates the state of a host that has refused nothing.
  package init() {}

  /// The longest wait for a URL at this time, its own or that of the host; nil if it may be
  /// requested.
  package func penalty(of url: UInt64, now: Timestamp) -> HostPenalty? {
    ([hostPenalty] + refusals.filter { $0.url == url }.map(\.penalty)).compactMap { $0 }
      .filter { (1...Self.maxPenalty).contains($0.until.milliseconds - now.milliseconds) }
      .max { $0.until < $1.until }
  }

  /// Records that the host refused a URL for a time.
  ///
  /// - Parameter isForAll: whether the response concerns the host as a whole.
  package mutating func refuse(
    _ url: UInt64, _ penalty: HostPenalty, isForAll: Bool, now: Timestamp
  ) {
    refusals.removeAll { old in
      old.url == url
        || old.penalty.until <= now && now.milliseconds - old.at.milliseconds >= Self.near
    }
    let isSecond = refusals.contains {
      abs(now.milliseconds - $0.at.milliseconds) < Self.near
    }
    refusals.append(Refusal(url: url, at: now, penalty: penalty))
    refusals = refusals.suffix(Self.maxRefusals)
    if isForAll || isSecond { suspend(penalty) }
  }

  /// Records that no URL of the host may be requested; never shortens a wait.
  package mutating func suspend(_ penalty: HostPenalty) {
    if let hostPenalty, hostPenalty.until >= penalty.until { return }
    hostPenalty = penalty
  }
}

/// The minimum interval between two requests to a busy host.
package struct HostPace: Sendable, Equatable {
  /// The intervals that a pace may have, in milliseconds.
  package struct Limits: Sendable, Equatable {
    /// The interval after the first refusal.
    package let first: Int64
    /// The longest interval.
    package let maxInterval: Int64

    /// Creates the limits from the settings of the backoff.
    package init(_ settings: TransferSettings) {
      first = max(1, settings.backoffBase)
      maxInterval = max(first, min(settings.backoffCap, first.multipliedClamped(by: 16)))
    }
  }

  /// A pace that is this many times faster than the first one is forgotten.
  fileprivate static let fastest: Int64 = 8
  /// The number of responses since the last refusal after which a refusal is a single one.
  static let isolation: Int64 = 10
  /// The number of refusals without a response after which the host has probably been down.
  private static let outage: Int64 = 5
  /// The time in milliseconds without a refusal after which a pace is forgotten.
  private static let validity: Int64 = 3_600_000

  /// The interval between two requests in milliseconds.
  package var interval: Int64
  /// The earliest time of the next request.
  package var next: Timestamp
  /// The time of the last slowdown.
  package var slowed: Timestamp
  /// The number of responses since the last refusal.
  package var responses: Int64 = 0
  /// The number of slowdowns since the last response.
  package var slowdowns: Int64 = 1

  /// Creates a pace.
  package init(interval: Int64, next: Timestamp, slowed: Timestamp) {
    self.interval = max(1, interval)
    self.next = next
    self.slowed = slowed
  }

  /// Whether nothing was refused for so long that the host counts as new. A slowdown more than a
  /// minute ahead results from a wrong clock.
  func isOver(now: Timestamp) -> Bool {
    !(-60_000..<Self.validity).contains(now.milliseconds - slowed.milliseconds)
  }

  /// Shortens the interval after a response: by 2 % after the first one since the last refusal, by
  /// 4 % after the second, and so on up to 25 %. After an outage, to a quarter at once.
  fileprivate mutating func speedUp(_ limits: Limits) {
    responses += 1
    if slowdowns >= Self.outage {
      interval = min(interval, max(limits.first, interval / 4))
    } else {
      interval = interval * 100 / (100 + min(25, 2 * responses))
    }
    (interval, slowdowns) = (max(1, interval), 0)
  }

  /// Doubles the interval after a refusal, unless it is a single one.
  fileprivate mutating func slowDown(now: Timestamp, _ limits: Limits) {
    if responses < Self.isolation {
      interval = min(limits.maxInterval, interval.multipliedClamped(by: 2))
    }
    responses = 0
    slowdowns += 1
    slowed = now
  }

  /// Returns the milliseconds until the next request; if 0, the request is counted as sent.
  package mutating func reserve(now: Timestamp, _ limits: Limits) -> Int64 {
    let wait = delay(now: now, limits)
    if wait == 0 { next = now.adding(milliseconds: interval) }
    return wait
  }

  /// The milliseconds until the next request. A wait longer than any pace results from a wrong
  /// clock and counts as 0.
  package func delay(now: Timestamp, _ limits: Limits) -> Int64 {
    guard !isOver(now: now) else { return 0 }
    let wait = next.milliseconds - now.milliseconds
    return (1...2 * limits.maxInterval).contains(wait) ? wait : 0
  }
}

extension HostState {
  /// Slows the pace after a refusal.
  ///
  /// Requests that were under way at the last slowdown do not slow it again.
  ///
  /// - Parameters:
  ///   - sent: the time when the refused request was sent.
  ///   - served: the responses before, for a host without a pace.
  /// - Returns: the interval in milliseconds from now on, 0 without a pace, and whether the pace
  ///   was at its slowest already.
  package mutating func slowDown(
    sent: Timestamp, now: Timestamp, after served: HostResponses, _ limits: HostPace.Limits
  ) -> (delay: Int64, wasSlowest: Bool) {
    guard var pace, !pace.isOver(now: now) else {
      guard served.count < HostPace.isolation else {
        self.pace = nil
        return (0, false)
      }
      let interval = served.interval(within: limits.first)
      pace = HostPace(interval: interval, next: now.adding(milliseconds: interval), slowed: now)
      return (interval, false)
    }
    let wasSlowest = pace.interval >= limits.maxInterval
    let isNews = sent >= pace.slowed
    if isNews { pace.slowDown(now: now, limits) }
    pace.next = now.adding(milliseconds: pace.interval)
    self.pace = pace
    return (pace.interval, isNews && wasSlowest)
  }

  /// Increases the rate after a response.
  package mutating func speedUp(now: Timestamp, _ limits: HostPace.Limits) {
    guard var pace else { return }
    pace.speedUp(limits)
    let isFast =
      pace.responses >= HostPace.isolation && pace.interval * HostPace.fastest <= limits.first
    self.pace = isFast || pace.isOver(now: now) ? nil : pace
  }

  /// Records that the host refuses everything: it is down until a time, so it needs no pace.
  package mutating func isDown(_ penalty: HostPenalty) {
    suspend(penalty)
    pace = nil
  }
}

/// The responses of a host, as one process has seen them.
package struct HostResponses: Sendable, Equatable {
  /// The longest time in milliseconds between two responses that counts: the host had no request
  /// meanwhile.
  private static let maxGap: Int64 = 5000

  /// The number since the last refusal.
  package private(set) var count: Int64 = 0
  private var last: Timestamp?
  /// The moving average of the time between two responses in milliseconds, over about ten of them;
  /// refusals do not end it.
  private var gap: Double?

  /// Creates the counter of a host without responses.
  package init() {}

  /// Counts a response.
  package mutating func add(now: Timestamp) {
    count += 1
    if let last {
      let new = Double(min(Self.maxGap, max(0, now.milliseconds - last.milliseconds)))
      gap = gap.map { 0.8 * $0 + 0.2 * new } ?? new
    }
    last = now
  }

  /// Begins to count anew after a refusal.
  package mutating func addRefusal() { count = 0 }

  /// The interval in milliseconds of half their rate; from an eighth of the limit to the limit.
  func interval(within limit: Int64) -> Int64 {
    guard let gap else { return limit }
    return max(1, limit / HostPace.fastest, min(limit, Int64(2 * gap)))
  }
}
